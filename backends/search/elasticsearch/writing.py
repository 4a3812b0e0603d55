"""Writing documents in bulk under external versions."""

from collections.abc import Sequence
from typing import Any

from elasticsearch import Elasticsearch

from backends.search import names
from backends.search.base import Change, Outcome, State
from backends.search.elasticsearch.client import INDEX_MISSING

_TRY_AGAIN = frozenset({408, 429, 500, 502, 503, 504})


def write(client: Elasticsearch, changes: Sequence[Change]) -> list[Outcome]:
    """Send changes as one bulk request; whole documents only, since partial updates have no external version.

    An alias is required: without one the engine would make an index of that name, with a mapping of its own guess.
    """
    if not changes:
        return []
    operations: list[dict[str, Any]] = []
    for change in changes:
        verb = "delete" if change.body is None else "index"
        operations.append({verb: _meta(change)})
        if change.body is not None:
            operations.append(dict(change.body))
    items = client.bulk(operations=operations, refresh=False, require_alias=True)["items"]
    results = [next(iter(item.values())) for item in items]
    outcomes = [_outcome(change, result) for change, result in zip(changes, results, strict=True)]
    return _confirmed(client, outcomes)


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
    state = State.RETRY if status in _TRY_AGAIN or reason == INDEX_MISSING else State.REJECTED
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
        Outcome(change=outcome.change, state=State.RETRY, reason="conflict")
        if id(outcome.change) in behind
        else outcome
        for outcome in outcomes
    ]
