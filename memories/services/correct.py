"""Correct: what was written wrong is superseded by the corrected copy."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from backends.search import names
from memories.models import Memory
from memories.services.expiry import expires_at
from memories.services.find_memory import find_memory, lock_open
from memories.services.insert_memory import text_hash
from memories.services.moment import moment
from memories.services.references import UnknownReference
from memories.services.supersede import replace_by_copy
from memories.services.wake import wake
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope

CORRECTABLE = frozenset(
    {"text", "category", "predicate", "slot", "importance", "tags", "metadata", "sensitive_notes", "valid_from",
     "valid_to"}
)  # fmt: skip


def correct(
    scope: Scope, memory_id: UUID, changes: Mapping[str, Any], *, if_match: int | None = None, now: datetime
) -> Memory:
    """Supersede a memory by a copy with some fields changed (names in CORRECTABLE); return the copy.

    Raises ScopeDenied; Memory.DoesNotExist; MemoryNotOpen, when it is closed; StaleVersion; SlotTaken or TextTaken,
    when another active memory holds the slot or says the same; UnknownReference for the words of a
    turn or playbook, and for a period that cannot be.
    """
    scope.require(Ability.MEMORIES_WRITE)
    unknown = changes.keys() - CORRECTABLE
    if unknown:
        raise ValueError(f"{', '.join(sorted(unknown))}: cannot be corrected")
    with open_scope(scope):
        old = lock_open(scope, memory_id, if_match=if_match)
        now = moment(now, old)
        if "text" in changes and old.memory_type != names.SEMANTIC:
            raise UnknownReference("text", f"is not corrected in a memory of type {old.memory_type}")
        fields = dict(changes)
        _check_period(old, fields)
        if "category" in fields and old.expires_at == expires_at(old.category, None, now=old.recorded_at):
            fields["expires_at"] = expires_at(fields["category"], None, now=old.recorded_at)
        if "text" in fields:
            fields["content_hash"] = text_hash(fields["text"])
        copy = replace_by_copy(old, old, method="correct", now=now, **fields)
        note_event(
            scope,
            "memory.corrected",
            object_ids=[copy.id, old.id],
            subject=old.subject,
            data={"fields": sorted(changes)},
            now=now,
        )
        transaction.on_commit(lambda: wake("memories.sync"))
        return find_memory(scope, copy.id)


def _check_period(old: Memory, fields: Mapping[str, Any]) -> None:
    """Refuse a period that ends before it begins, and another beginning of what ended a predecessor's truth."""
    start, end = fields.get("valid_from", old.valid_from), fields.get("valid_to", old.valid_to)
    if end is not None and end < start:
        raise UnknownReference("valid_to", "must not lie before valid_from")
    if "valid_from" in fields and Memory.objects.filter(superseded_by_id=old.id, ended_at__isnull=False).exists():
        raise UnknownReference("valid_from", "is where the predecessor's truth ended; retract and write anew")
