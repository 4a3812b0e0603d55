"""API keys of tenants and subjects: minted with a refresh, read back, and revoked until the engine confirms."""

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from elasticsearch import Elasticsearch, NotFoundError

from backends.errors import BackendError, Rejected, Unavailable
from backends.search import names
from backends.search.elasticsearch.client import translated
from backends.search.elasticsearch.parts import Parts
from backends.search.reach import Credential, HeldCredential, Reach

log = logging.getLogger(__name__)

CONFIRM_S = 10.0
NAME_MAX_LENGTH = 256
PAGE_KEYS = 1_000


def mint(client: Elasticsearch, parts: Parts, reach: Reach, *, name: str, expires_at: datetime) -> Credential:
    """Create a key and check what was stored. Refreshed at once: an unrefreshed key cannot be revoked yet."""
    life_ms = int((expires_at - datetime.now(UTC)).total_seconds() * 1000)
    if life_ms <= 0:
        raise Rejected("expires_at lies in the past")
    made = client.security.create_api_key(
        name=name[:NAME_MAX_LENGTH],
        expiration=f"{life_ms}ms",
        refresh="true",
        **parts.rights(client, reach),
    )
    key = Credential(id=str(made["id"]), secret=str(made["encoded"]), expires_at=expires_at)
    try:
        with translated():
            _check(client, parts, reach, key)
    except BaseException as error:
        _revoke_unchecked(client, key, error)
        raise
    return key


def _revoke_unchecked(client: Elasticsearch, key: Credential, error: BaseException) -> None:
    """Revoke a key that is given to nobody; if the engine does not, the first error stays the one reported."""
    try:
        with translated():
            revoke(client, [key.id])
    except BackendError as failure:
        log.error("Elasticsearch's key %s is given to nobody and not revoked: %s", key.id, failure)
        error.add_note(f"key {key.id} could not be revoked: {failure}")


def _check(client: Elasticsearch, parts: Parts, reach: Reach, key: Credential) -> None:
    """Look at what was stored and at what the key sees. Raises Rejected or Refused, when either is not the reach."""
    if stored_reach(client, parts, key.id) != reach:
        raise Rejected("Elasticsearch stored another reach than was granted")
    seen = client.options(api_key=key.secret).search(
        index="*",  # all that the key may read
        query=parts.beyond(reach),
        size=0,
        terminate_after=1,
        track_total_hits=True,
        allow_partial_search_results=False,
    )
    if seen["hits"]["total"]["value"] != 0:
        raise Rejected("the key sees documents beyond its reach")


def stored_reach(client: Elasticsearch, parts: Parts, key_id: str) -> Reach | None:
    """Return the reach of a live key as the engine stores it; None if unknown, expired or revoked.

    Raises Rejected, when the stored role is no reach of ours.
    """
    try:
        found = client.security.get_api_key(id=key_id)["api_keys"]
    except NotFoundError:
        return None
    if not found or found[0]["invalidated"]:
        return None
    if found[0].get("expiration", float("inf")) <= time.time() * 1000:
        return None
    return parts.reach_in(found[0])


def held_keys(client: Elasticsearch, parts: Parts) -> Iterator[HeldCredential]:
    """Yield the keys of ours that the client's own user has minted, oldest first; revoked ones are left out."""
    own = {
        "bool": {
            "filter": [
                {"term": {"username": client.security.authenticate()["username"]}},
                {"prefix": {"name": names.CREDENTIAL_PREFIX}},
                {"term": {"invalidated": False}},
            ]
        }
    }
    after: list[Any] | None = None
    while True:
        page = client.security.query_api_keys(
            query=own, size=PAGE_KEYS, sort=["creation", "name"], search_after=after
        )["api_keys"]
        yield from (_held(parts, found) for found in page)
        if len(page) < PAGE_KEYS:
            return
        after = page[-1]["_sort"]


def _held(parts: Parts, found: Mapping[str, Any]) -> HeldCredential:
    try:
        reach = parts.reach_in(found)
    except Rejected:
        reach = None
    ends_ms = found.get("expiration")
    return HeldCredential(
        id=str(found["id"]),
        reach=reach,
        created_at=datetime.fromtimestamp(found["creation"] / 1000, UTC),
        expires_at=datetime.fromtimestamp(ends_ms / 1000, UTC) if ends_ms else None,
    )


def revoke(client: Elasticsearch, key_ids: Sequence[str]) -> None:
    """Invalidate keys; ask again until every one is confirmed or gone.

    Raises Unavailable, when some were not confirmed in time. The engine may answer "0 invalidated, 0 errors" for a
    key it does not see yet, so an answer without errors proves nothing.
    """
    open_ids = set(key_ids)
    end = time.monotonic() + CONFIRM_S
    while open_ids:
        answer = client.security.invalidate_api_key(ids=sorted(open_ids))
        open_ids -= {*answer["invalidated_api_keys"], *answer["previously_invalidated_api_keys"]}
        open_ids = {key_id for key_id in open_ids if not _is_gone(client, key_id)}
        if open_ids and time.monotonic() > end:
            raise Unavailable(f"Elasticsearch did not confirm the revocation of {len(open_ids)} keys")
        if open_ids:
            time.sleep(0.2)


def _is_gone(client: Elasticsearch, key_id: str) -> bool:
    """Say whether the engine has forgotten a key, as it does some days after revoking it; looked at twice."""
    for pause_s in (0.5, 0.0):
        try:
            found = client.security.get_api_key(id=key_id)["api_keys"]
        except NotFoundError:
            found = []
        if found:
            return bool(found[0]["invalidated"])
        time.sleep(pause_s)
    return True
