"""From settings to a reranker."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from backends.rerankers.base import Reranker
from backends.rerankers.http import HttpReranker, Server
from backends.rerankers.native import NativeReranker
from backends.search.native import HasNative

NONE = "none"
ELASTICSEARCH = "elasticsearch:"


@cache
def connect(name: str, server: Server | None = None, engine: HasNative | None = None) -> Reranker | None:
    """Return the reranker of a name, one a process.

    name: "none", a URL whose Server is given, an ONNX model's folder, or `elasticsearch:<inference id>` with the
        engine that was set up for it.

    Raises ValueError, when there is none of that name.
    """
    if name == NONE:
        return None
    if name.startswith(("http://", "https://")) and server is not None:
        return HttpReranker(server)
    if name.startswith(ELASTICSEARCH) and engine is not None and engine.native.rerank:
        return NativeReranker(engine)
    folder = Path(name)
    if not (folder / "model.onnx").is_file():
        raise ValueError(
            f"RERANKER: there is no reranker {name!r}; use 'none', a URL, a folder with model.onnx,"
            " or elasticsearch:<inference id> where SEARCH_URL is an Elasticsearch"
        )
    if not all(map(find_spec, ("onnxruntime", "tokenizers"))):
        raise ValueError("RERANKER: a model in ONNX needs the packages onnxruntime and tokenizers; install them")
    # Only a site with such a model has its runtime.
    from backends.rerankers.onnx import OnnxReranker

    return OnnxReranker(folder)
