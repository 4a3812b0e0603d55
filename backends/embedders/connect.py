"""From settings to an embedder."""

from functools import cache

from backends.embedders.base import Embedder
from backends.embedders.bundled import BundledEmbedder
from backends.embedders.http import HttpEmbedder, Server


@cache
def connect(name: str, server: Server | None = None) -> Embedder:
    """Return the embedder of a name, one a process: "bundled", or a URL whose Server is given.

    Raises ValueError, when there is none of that name.
    """
    if name == "bundled":
        return BundledEmbedder()
    if name.startswith(("http://", "https://")) and server is not None:
        return HttpEmbedder(server)
    raise ValueError(f"EMBEDDER: there is no embedder {name!r}; use 'bundled' or a URL such as https://host/v1")
