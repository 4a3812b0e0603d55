"""Idempotency: the same request twice is one write and one answer.

The key's row is part of the write's own transaction: a second request waits for the first at the unique constraint,
then finds either its answer or, if it failed, nothing in its way.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memories.models import IdempotencyKey
from tenants.scope import Scope


class KeyReused(Exception):
    """The Idempotency-Key was used before for another request."""


class AnswerGone(Exception):
    """What the request with this Idempotency-Key made was erased since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Idempotency:
    """A caller's Idempotency-Key and the SHA-256 of the request it came with."""

    key: str
    request_hash: bytes


def request_hash(path: str, body: Any) -> bytes:
    """Return the SHA-256 of a request: its path and its JSON with sorted names."""
    canonical = json.dumps([path, body], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).digest()


def replayed_ids(scope: Scope, idempotency: Idempotency | None, *, now: datetime) -> list[UUID] | None:
    """Claim the key; return None for a first request, or the ids that the first one answered with.

    Raises KeyReused, when the key came with another request before.
    """
    if idempotency is None:
        return None
    claim = IdempotencyKey(
        tenant_id=scope.tenant_id,
        subject_id=scope.subject_id,
        api_key_id=scope.acting_key(),
        key=idempotency.key,
        request_hash=idempotency.request_hash,
        created_at=now,
    )
    IdempotencyKey.objects.bulk_create([claim], ignore_conflicts=True)
    held = IdempotencyKey.objects.get(tenant_id=scope.tenant_id, api_key_id=scope.acting_key(), key=idempotency.key)
    return None if held.id == claim.id else _ids(held, idempotency)


def earlier_ids(scope: Scope, idempotency: Idempotency | None) -> list[UUID] | None:
    """Return the ids that an earlier request answered with, its row locked; None, where there was none.

    Raises KeyReused, when the key came with another request before.
    """
    if idempotency is None:
        return None
    rows = IdempotencyKey.objects.select_for_update(no_key=True)
    held = rows.filter(tenant_id=scope.tenant_id, api_key_id=scope.acting_key(), key=idempotency.key).first()
    return None if held is None else _ids(held, idempotency)


def _ids(held: IdempotencyKey, idempotency: Idempotency) -> list[UUID]:
    if bytes(held.request_hash) != idempotency.request_hash:
        raise KeyReused("Idempotency-Key: was used before with another request; use a new one")
    return [UUID(value) for value in held.response or []]


def remember(scope: Scope, idempotency: Idempotency | None, ids: Sequence[UUID]) -> None:
    """Keep the ids that the answer is made of; they, not the answer's text, are what a replay needs."""
    if idempotency is not None:
        IdempotencyKey.objects.filter(
            tenant_id=scope.tenant_id, api_key_id=scope.acting_key(), key=idempotency.key
        ).update(response=[str(value) for value in ids])
