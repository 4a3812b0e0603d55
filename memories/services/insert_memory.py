"""Insert a memory: its row, what it closes, and its playbook."""

import hashlib
from datetime import datetime

from backends.search import names
from memories.models import Memory, Procedure
from memories.models.memory import Contradiction, Status
from memories.roles import Role
from memories.services.expiry import expires_at
from memories.services.new_memory import NewMemory
from memories.services.supersede import close_for
from memories.trust import Trust
from tenants.ids import uuid7
from tenants.models import Subject
from tenants.scope import Scope

CONFIDENCE_FLOOR = 0.7
"""What is less sure is pending: kept, and not recalled as a fact. Source: seed S4."""
HARSH_PENALTY = 0.2
"""Taken from the confidence of what denies an older memory. Source: seed S0, SUPERSEDE_CONFIDENCE_PENALTY."""


def insert_memory(
    scope: Scope, subject: Subject | None, new: NewMemory, old: Memory | None, *, now: datetime
) -> Memory:
    """Insert a memory in place of an older one, which is closed; the scope is open. Raises IntegrityError."""
    memory_id = uuid7()
    valid_from = new.valid_from or now
    penalty = 0.0
    if old is not None:
        natural = new.contradiction == Contradiction.NATURAL
        penalty = 0.0 if natural else HARSH_PENALTY
        ended_at = max(valid_from, old.valid_from) if natural else None
        close_for(old, memory_id, contradiction=new.contradiction, ended_at=ended_at, now=now)
    status = Status.ACTIVE if new.confidence >= CONFIDENCE_FLOOR else Status.PENDING
    status = Status.QUARANTINED if new.suspect else status
    memory = Memory.objects.create(
        id=memory_id,
        tenant_id=scope.tenant_id,
        subject_id=subject.id if subject else None,
        entity_id=new.entity_id,
        agent_id=new.agent_id,
        memory_type=new.memory_type,
        category=new.category,
        predicate=new.predicate,
        slot=new.slot,
        author=Role.USER.value if subject else "",
        text=new.text,
        importance=new.importance,
        confidence=round(max(0.0, new.confidence - penalty), 6),
        trust=new.trust or Trust.USER,
        status=status,
        tags=list(new.tags),
        metadata=dict(new.metadata),
        sensitive_notes=new.sensitive_notes,
        compartments=list(new.compartments or ()),
        content_hash=text_hash(new.text),
        valid_from=valid_from,
        valid_to=new.valid_to,
        recorded_at=now,
        accepted_at=now if status == Status.ACTIVE else None,
        expires_at=expires_at(new.category, new.ttl_days, now=now),
    )
    if new.memory_type == names.PROCEDURAL:
        _insert_playbook(memory, new, old)
    return memory


def _insert_playbook(memory: Memory, new: NewMemory, old: Memory | None) -> None:
    earlier = Procedure.objects.filter(memory_id=old.id).first() if old is not None else None
    Procedure.objects.create(
        tenant_id=memory.tenant_id,
        subject_id=memory.subject_id,
        memory_id=memory.id,
        trigger=new.trigger,
        steps=list(new.steps),
        revision=earlier.revision + 1 if earlier is not None else 1,
    )


def text_hash(text: str) -> bytes:
    """Return the SHA-256 of a memory's text, letter case and spacing aside: the same said again is the same."""
    return hashlib.sha256(" ".join(text.split()).casefold().encode()).digest()
