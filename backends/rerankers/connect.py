"""From settings to a reranker."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from backends.rerankers.base import Reranker
from backends.rerankers.http import HttpReranker, Server

NONE = "none"


@cache
def connect(name: str, server: Server | None = None) -> Reranker | None:
    """Return the reranker of a name, one a process: "none", a URL whose Server is given, or an ONNX model's folder.

    Raises ValueError, when there is none of that name.
    """
    if name == NONE:
        return None
    if name.startswith(("http://", "https://")) and server is not None:
        return HttpReranker(server)
    folder = Path(name)
    if not (folder / "model.onnx").is_file():
        raise ValueError(f"RERANKER: there is no reranker {name!r}; use 'none', a URL, or a folder with model.onnx")
    if not all(map(find_spec, ("onnxruntime", "tokenizers"))):
        raise ValueError("RERANKER: a model in ONNX needs the packages onnxruntime and tokenizers; install them")
    # Only a site with such a model has its runtime.
    from backends.rerankers.onnx import OnnxReranker

    return OnnxReranker(folder)
