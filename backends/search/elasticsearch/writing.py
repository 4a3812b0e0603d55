"""Writing documents in bulk under external versions."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from elasticsearch import ApiError, Elasticsearch
from elasticsearch.exceptions import SerializationError
from elasticsearch.serializer import JsonSerializer

from backends.errors import Rejected
from backends.search import names
from backends.search.changes import Change, Outcome, State
from backends.search.elasticsearch.client import translated
from backends.search.elasticsearch.scoring import lengths
from backends.search.native import MEANING

log = logging.getLogger(__name__)

_OF_THE_DOCUMENT = frozenset({400, 413, 422})
_OLDER_MAPPING = "strict_dynamic_mapping_exception"
"""An index from before a field of ours: the site was renewed, and setup_search not run yet. No document's fault."""
_OF_THE_MODEL = frozenset({"inference_exception", "resource_not_found_exception", _OLDER_MAPPING})
"""Why a semantic_text is not made: its model fails, its endpoint is gone, or the index has no such field yet."""
REQUEST_MAX_BYTES = 8 * 1024 * 1024
"""Of documents in one request, far below the engine's own limit (http.max_content_length, 100 MB)."""
_JSON = JsonSerializer()


Targets = Mapping[str, Sequence[str]]
"""Part -> the aliases that its changes go to."""


def write(
    client: Elasticsearch, changes: Sequence[Change], *, parts: Sequence[str], to: Targets, meaning: bool = False
) -> list[Outcome]:
    """Send changes in bulk requests; whole documents only, since partial updates have no external version.

    parts: of each change. meaning: whether semantic_text works here; else documents go without that field.
    Documents that no JSON can be made of, and what the engine finds too large by itself, are REJECTED alone. In a
    request that the engine rejects as a whole, the one at fault is looked for by halves. A change that goes to
    several generations has ended as the worst of its writes.
    """
    if not meaning:
        changes = [_without_meaning(change) or change for change in changes]
    bodies = [_serialised(change) for change in changes]
    unmade = {index for index, body in enumerate(bodies) if body is None}
    outcomes: dict[int, Outcome] = {
        index: Outcome(change=changes[index], state=State.REJECTED, reason="unserialisable") for index in unmade
    }
    for together in _requests([index for index in range(len(changes)) if index not in unmade], bodies):
        writes = [
            _Write(index=index, change=changes[index], alias=alias, body=bodies[index] or b"")
            for index in together
            for alias in to[parts[index]]
        ]
        for one, outcome in zip(writes, _sent(client, writes), strict=True):
            if outcome.state is State.REJECTED and one.alias == names.previous_alias(parts[one.index]):
                continue  # the mapping of a generation that is not searched any more decides nothing
            outcomes[one.index] = _worse(outcomes.get(one.index), outcome)
    return [outcomes[index] for index in range(len(changes))]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Write:
    """One change on its way to one generation. index: its place among the changes. body: JSON."""

    index: int
    change: Change
    alias: str
    body: bytes


_WORST_LAST = (State.STALE, State.APPLIED, State.CONFLICT, State.RETRY, State.REJECTED)


def _worse(one: Outcome | None, other: Outcome) -> Outcome:
    return other if one is None else max(one, other, key=lambda outcome: _WORST_LAST.index(outcome.state))


def _serialised(change: Change) -> bytes | None:
    """Return the document's JSON, empty for a removal; None if there is none."""
    if change.body is None:
        return b""
    try:
        return _JSON.dumps({**change.body, **lengths(change.body)})
    except SerializationError:
        return None


def _requests(indexes: Sequence[int], bodies: Sequence[bytes | None]) -> Iterator[list[int]]:
    """Yield what goes into one request each: bodies of at most REQUEST_MAX_BYTES together, or one."""
    together: list[int] = []
    size = 0
    for index in indexes:
        own = len(bodies[index] or b"")
        if together and size + own > REQUEST_MAX_BYTES:
            yield together
            together, size = [], 0
        together.append(index)
        size += own
    if together:
        yield together


def _sent(client: Elasticsearch, writes: Sequence[_Write]) -> list[Outcome]:
    """Send one bulk request, or, when the engine rejects it as a whole, each half by itself."""
    try:
        with translated():
            outcomes = _confirmed(client, writes, _bulk(client, writes))
            return _again_without_meaning(client, writes, outcomes)
    except Rejected as error:
        if len(writes) == 1:
            return [Outcome(change=writes[0].change, state=State.REJECTED, reason=_code(error))]
    middle = len(writes) // 2
    return [*_sent(client, writes[:middle]), *_sent(client, writes[middle:])]


def _again_without_meaning(client: Elasticsearch, writes: Sequence[_Write], outcomes: list[Outcome]) -> list[Outcome]:
    """Send what failed for its semantic_text once more without: nobody's memory waits for that model to be back.

    One text that the model refuses fails all that it was to embed together.
    """
    failed = {
        index: change
        for index, outcome in enumerate(outcomes)
        if outcome.reason in _OF_THE_MODEL and (change := _without_meaning(writes[index].change)) is not None
    }
    if not failed:
        return outcomes
    log.warning("%d documents go without semantic_text; reindex brings it when the model answers", len(failed))
    bare = [replace(writes[index], change=one, body=_serialised(one) or b"") for index, one in failed.items()]
    again = dict(zip(failed, _confirmed(client, bare, _bulk(client, bare)), strict=True))
    return [
        replace(again[index], change=writes[index].change) if index in again else outcome
        for index, outcome in enumerate(outcomes)
    ]


def _without_meaning(change: Change) -> Change | None:
    """Return the change without the field; None if it has none."""
    if change.body is None or MEANING not in change.body:
        return None
    return replace(change, body={name: value for name, value in change.body.items() if name != MEANING})


def _bulk(client: Elasticsearch, writes: Sequence[_Write]) -> list[Outcome]:
    """Send the request.

    An alias is required: without one the engine would make an index of that name, with a mapping of its own guess.
    """
    operations: list[Any] = []
    for one in writes:
        operations.append({"delete" if one.change.body is None else "index": _meta(one)})
        if one.change.body is not None:
            operations.append(one.body)
    items = client.bulk(operations=operations, refresh=False, require_alias=True)["items"]
    results = [next(iter(item.values())) for item in items]
    return [_outcome(one.change, result) for one, result in zip(writes, results, strict=True)]


def _code(error: Rejected) -> str:
    cause = error.__cause__
    return f"http_{cause.meta.status}" if isinstance(cause, ApiError) else type(cause).__name__


def _meta(one: _Write) -> dict[str, Any]:
    return {
        "_index": one.alias,
        "_id": names.document_id(one.change.tenant_id, one.change.id),
        "routing": str(one.change.tenant_id),
        "version": one.change.version,
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
    of_the_document = status in _OF_THE_DOCUMENT and reason != _OLDER_MAPPING
    state = State.REJECTED if of_the_document else State.RETRY
    return Outcome(change=change, state=state, reason=reason)


def _confirmed(client: Elasticsearch, writes: Sequence[_Write], outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Return the outcomes, a conflict counted as done only if the engine's own version is not below ours."""
    doubted = [index for index, outcome in enumerate(outcomes) if outcome.state is State.STALE]
    if not doubted:
        return list(outcomes)
    metas = [_meta(writes[index]) for index in doubted]
    wanted = [{name: meta[name] for name in ("_index", "_id", "routing")} for meta in metas]
    found = client.mget(docs=wanted, source=False)["docs"]
    behind = {
        index
        for index, item in zip(doubted, found, strict=True)
        if "error" in item or (item.get("found") and int(item["_version"]) < writes[index].change.version)
    }
    return [
        Outcome(change=outcome.change, state=State.CONFLICT, reason="version") if index in behind else outcome
        for index, outcome in enumerate(outcomes)
    ]
