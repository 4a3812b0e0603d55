"""Supersede: the old row closes, the new one opens, in one transaction; nothing is overwritten."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from memories.models import Memory, Procedure, Source
from memories.models.memory import Contradiction, Status
from memories.services.add_sources import copied_sources, superseding
from memories.services.conflicts import conflict_of
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


def replace_by_copy(
    original: Memory,
    head: Memory | None,
    *,
    method: str,
    contradiction: Contradiction = Contradiction.HARSH,
    ended_at: datetime | None = None,
    with_playbook: bool = True,
    now: datetime,
    **changes: Any,
) -> Memory:
    """Insert a copy of a memory in the place of a locked, active one, with the original's evidence; return the copy.

    head: whose place it takes, which is the original itself unless that is closed already; None = nobody's.
    method: by which verb. contradiction, ended_at: as in close_for.
    Raises SlotTaken or TextTaken, when another active memory holds the slot or says the same; nothing changes then.
    """
    copy_id = uuid7()
    try:
        with transaction.atomic():
            if head is not None:
                close_for(head, copy_id, contradiction=contradiction, ended_at=ended_at, now=now)
            copy = insert_copy(original, memory_id=copy_id, with_playbook=with_playbook, now=now, **changes)
            edges = copied_sources(copy, original)
            if head is not None:
                edges.append(superseding(copy, head, method=method, now=now))
            Source.objects.bulk_create(edges)
    except IntegrityError as error:
        met = conflict_of(error)
        if met is None:
            raise
        raise met from error
    return copy


def insert_copy(original: Memory, *, memory_id: UUID, with_playbook: bool, now: datetime, **changes: Any) -> Memory:
    """Insert an active copy of a memory with some of its fields changed, with its playbook where wanted."""
    kept = {
        field.attname: getattr(original, field.attname)
        for field in Memory._meta.concrete_fields
        if field.name not in _NEW
    }
    copy = Memory.objects.create(
        **{
            **kept,
            "id": memory_id,
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
