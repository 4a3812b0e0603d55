"""The connection to Elasticsearch, and its errors as the backends' three."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from elastic_transport import TransportError
from elasticsearch import ApiError, Elasticsearch

from backends.errors import BackendError, Refused, Rejected, Unavailable

REQUEST_TIMEOUT_S = 10.0
_TRY_AGAIN = frozenset({408, 429, 500, 502, 503, 504})
_NO_RIGHT = frozenset({401, 403})
INDEX_MISSING = "index_not_found_exception"


def connected(url: str) -> Elasticsearch:
    """Return a client; retries are sync's affair, so it has none."""
    return Elasticsearch(url, request_timeout=REQUEST_TIMEOUT_S, max_retries=0, retry_on_timeout=False)


def failure(status: int, kind: str, reason: str = "") -> BackendError:
    """Return the error of an HTTP status; kind is the engine's own name for it. Texts of documents never get in."""
    if kind == INDEX_MISSING:
        return Unavailable("Elasticsearch has no indexes yet; run setup_search")
    if status in _NO_RIGHT:
        licence = " (the licence does not allow document-level security)" if "non-compliant" in reason else ""
        return Refused(f"Elasticsearch refused: {kind}{licence}")
    if status in _TRY_AGAIN:
        return Unavailable(f"Elasticsearch is not ready: {status} {kind}")
    return Rejected(f"Elasticsearch rejected the request: {status} {kind}")


@contextmanager
def translated() -> Iterator[None]:
    """Turn the client's errors into the backends' three."""
    try:
        yield
    except ApiError as error:
        raise failure(error.meta.status, str(error.error), str(error.body)) from error
    except TransportError as error:
        raise Unavailable(f"Elasticsearch did not answer ({type(error).__name__})") from error


def raise_for(item: dict[str, Any]) -> None:
    """Raise the error of one part of a multi-search or multi-get, if it has one."""
    if "error" in item:
        error = item["error"]
        raise failure(int(item.get("status", 500)), str(error.get("type", "error")), str(error))
