"""NewMemory: a memory as a caller writes it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from backends.search import names
from memories.models.memory import Contradiction
from memories.models.source import SourceRelation
from memories.trust import Trust

DIRECT = "direct"
"""The method of what a caller wrote, as against what a rule or a model found."""
REST = "saying.rest"
"""The method of what is left of a saying once a part of it is over; and of its edge to the whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Half-open offsets in code points of a turn's content; end None = to its end."""

    turn_id: UUID
    start: int = 0
    end: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """A semantic memory, or a playbook's; user_id None = shared by all users of the tenant.

    importance, confidence: in [0, 1]. ttl_days: None = by category. valid_from None = now.
    compartments: None = those of what it rests on or supersedes.
    supersedes_id: the memory whose place it takes; contradiction: how.
    spans: what it rests on in the archive; parents: memories it was made of.
    relation: what it did with the spans. method: how it was found: a rule's or a model's name, or "direct".
    trust: None = as far as its sources, or else the key, are; more than these is not taken.
    suspect: found among instructions; a person decides whether it is believed.
    steps: a playbook's; trigger: when it applies.
    """

    text: str
    user_id: str | None = None
    memory_type: str = names.SEMANTIC
    agent_id: str | None = None
    entity_id: UUID | None = None
    category: str = ""
    predicate: str = ""
    slot: str | None = None
    importance: float = 0.5
    confidence: float = 1.0
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    sensitive_notes: str = ""
    compartments: tuple[str, ...] | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    ttl_days: int | None = None
    supersedes_id: UUID | None = None
    contradiction: Contradiction = Contradiction.NATURAL
    spans: tuple[Span, ...] = ()
    parents: tuple[UUID, ...] = ()
    relation: SourceRelation = SourceRelation.EXTRACTED
    method: str = DIRECT
    trust: Trust | None = None
    suspect: bool = False
    trigger: str = ""
    steps: tuple[str, ...] = ()
