"""From a setting to an embedder."""

from functools import cache

from backends.embedders.base import Embedder
from backends.embedders.bundled import BundledEmbedder


@cache
def connect(name: str) -> Embedder:
    """Return the embedder of a name, one a process. Raises ValueError, when there is none of that name."""
    if name == "bundled":
        return BundledEmbedder()
    raise ValueError(f"EMBEDDER: there is no embedder {name!r}; use 'bundled'")
