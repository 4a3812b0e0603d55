"""Supersede: the old row closes, the new one opens, in one transaction; nothing is overwritten."""

from datetime import datetime
from typing import Any
from uuid import UUID

from memories.models import Memory, Procedure
from memories.models.memory import Contradiction, Status
from tenants.ids import uuid7

_CLOSED = ("superseded_by", "closed_at", "contradiction", "ended_at", "restores")
_NEW = ("id", "version", "doc_version", "recorded_at", "accepted_at", "status", "rebuild_due_at", *_CLOSED)


def close_for(
    old: Memory, successor_id: UUID, *, contradiction: Contradiction, ended_at: datetime | None, now: datetime
) -> None:
    """Close a locked, active memory in favour of a successor that is inserted in the same transaction.

    ended_at: when it ceased to be true because the successor's truth began; None: it never was true, or a copy says
    until when.
    """
    Memory.objects.filter(id=old.id).update(
        status=Status.SUPERSEDED,
        closed_at=now,
        superseded_by_id=successor_id,
        contradiction=contradiction,
        ended_at=ended_at,
    )


def insert_copy(
    original: Memory, *, now: datetime, memory_id: UUID | None = None, with_playbook: bool = True, **changes: Any
) -> Memory:
    """Insert an active copy of a memory with some of its fields changed, with its playbook where it has one."""
    kept = {
        field.attname: getattr(original, field.attname)
        for field in Memory._meta.concrete_fields
        if field.name not in _NEW
    }
    copy = Memory.objects.create(
        **{
            **kept,
            "id": memory_id or uuid7(),
            "status": Status.ACTIVE,
            "recorded_at": now,
            "accepted_at": now,
            **changes,
        }
    )
    playbook = Procedure.objects.filter(memory_id=original.id).first() if with_playbook else None
    if playbook is not None:
        Procedure.objects.create(
            tenant_id=playbook.tenant_id,
            subject_id=playbook.subject_id,
            memory_id=copy.id,
            trigger=playbook.trigger,
            steps=playbook.steps,
            revision=playbook.revision,
            success_count=playbook.success_count,
            failure_count=playbook.failure_count,
        )
    return copy
