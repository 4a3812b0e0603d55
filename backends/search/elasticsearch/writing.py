"""Writing documents in bulk under external versions."""

from collections.abc import Iterator, Sequence
from typing import Any

from elasticsearch import ApiError, Elasticsearch
from elasticsearch.exceptions import SerializationError
from elasticsearch.serializer import JsonSerializer

from backends.errors import Rejected
from backends.search import names
from backends.search.base import Change, Outcome, State
from backends.search.elasticsearch.client import translated

_OF_THE_DOCUMENT = frozenset({400, 413, 422})
REQUEST_MAX_BYTES = 8 * 1024 * 1024
"""Of documents in one request, far below the engine's own limit (http.max_content_length, 100 MB)."""
_JSON = JsonSerializer()


def write(client: Elasticsearch, changes: Sequence[Change]) -> list[Outcome]:
    """Send changes in bulk requests; whole documents only, since partial updates have no external version.

    Documents that no JSON can be made of, and what the engine finds too large by itself, are REJECTED alone. In a
    request that the engine rejects as a whole, the one at fault is looked for by halves.
    """
    bodies = [_serialised(change) for change in changes]
    unmade = {index for index, body in enumerate(bodies) if body is None}
    outcomes: dict[int, Outcome] = {
        index: Outcome(change=changes[index], state=State.REJECTED, reason="unserialisable") for index in unmade
    }
    for part in _parts([index for index in range(len(changes)) if index not in unmade], bodies):
        sent = [(changes[index], bodies[index] or b"") for index in part]
        outcomes.update(zip(part, _sent(client, sent), strict=True))
    return [outcomes[index] for index in range(len(changes))]


def _serialised(change: Change) -> bytes | None:
    """Return the document's JSON, empty for a removal; None if there is none."""
    if change.body is None:
        return b""
    try:
        return _JSON.dumps(change.body)
    except SerializationError:
        return None


def _parts(indexes: Sequence[int], bodies: Sequence[bytes | None]) -> Iterator[list[int]]:
    """Yield the indexes in parts, each of bodies of at most REQUEST_MAX_BYTES together, or of one."""
    part: list[int] = []
    size = 0
    for index in indexes:
        own = len(bodies[index] or b"")
        if part and size + own > REQUEST_MAX_BYTES:
            yield part
            part, size = [], 0
        part.append(index)
        size += own
    if part:
        yield part


def _sent(client: Elasticsearch, changes: Sequence[tuple[Change, bytes]]) -> list[Outcome]:
    """Send one bulk request, or, when the engine rejects it as a whole, each half by itself."""
    try:
        with translated():
            return _confirmed(client, _bulk(client, changes))
    except Rejected as error:
        if len(changes) == 1:
            return [Outcome(change=changes[0][0], state=State.REJECTED, reason=_code(error))]
    middle = len(changes) // 2
    return [*_sent(client, changes[:middle]), *_sent(client, changes[middle:])]


def _bulk(client: Elasticsearch, changes: Sequence[tuple[Change, bytes]]) -> list[Outcome]:
    """Send the request.

    An alias is required: without one the engine would make an index of that name, with a mapping of its own guess.
    """
    operations: list[Any] = []
    for change, body in changes:
        operations.append({"delete" if change.body is None else "index": _meta(change)})
        if change.body is not None:
            operations.append(body)
    items = client.bulk(operations=operations, refresh=False, require_alias=True)["items"]
    results = [next(iter(item.values())) for item in items]
    return [_outcome(change, result) for (change, _), result in zip(changes, results, strict=True)]


def _code(error: Rejected) -> str:
    cause = error.__cause__
    return f"http_{cause.meta.status}" if isinstance(cause, ApiError) else type(cause).__name__


def _meta(change: Change) -> dict[str, Any]:
    return {
        "_index": names.write_alias(change.kind),
        "_id": names.document_id(change.tenant_id, change.id),
        "routing": str(change.tenant_id),
        "version": change.version,
        "version_type": "external",
    }


def _outcome(change: Change, result: dict[str, Any]) -> Outcome:
    status = int(result["status"])
    reason = str(result.get("error", {}).get("type", ""))
    if status in (200, 201) or (status == 404 and change.body is None and not reason):
        return Outcome(change=change, state=State.APPLIED)
    if status == 409:
        return Outcome(change=change, state=State.STALE)
    # What is not the document's fault, such as a block on the index or a right that is gone, is tried again.
    state = State.REJECTED if status in _OF_THE_DOCUMENT else State.RETRY
    return Outcome(change=change, state=state, reason=reason)


def _confirmed(client: Elasticsearch, outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Return the outcomes, a conflict counted as done only if the engine's own version is not below ours."""
    doubted = [outcome.change for outcome in outcomes if outcome.state is State.STALE]
    if not doubted:
        return list(outcomes)
    wanted = [
        {"_index": meta["_index"], "_id": meta["_id"], "routing": meta["routing"]} for meta in map(_meta, doubted)
    ]
    found = client.mget(docs=wanted, source=False)["docs"]
    behind = {
        id(change)
        for change, item in zip(doubted, found, strict=True)
        if "error" in item or (item.get("found") and int(item["_version"]) < change.version)
    }
    return [
        Outcome(change=outcome.change, state=State.CONFLICT, reason="version")
        if id(outcome.change) in behind
        else outcome
        for outcome in outcomes
    ]
