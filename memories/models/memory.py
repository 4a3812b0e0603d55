"""Memory: what an agent may recall."""

from datetime import datetime
from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from backends.search import names
from memories.models.entity import Entity
from memories.models.session import Session
from memories.models.turn import SPEAKER_MAX_LENGTH, Turn
from memories.models.versioned import Versioned
from memories.trust import CHOICES, VALUES, Trust
from tenants.ids import EXTERNAL_ID_MAX_LENGTH
from tenants.models.owned import reference

MEMORY_TEXT_MAX_LENGTH = 4_000
CATEGORY_MAX_LENGTH = 64
SLOT_MAX_LENGTH = 128
TAG_MAX_LENGTH = 64


class Status(models.TextChoices):
    """The state of a memory; rows never reopen: what is restored or revived is a copy.

    active -> superseded | retracted | archived; pending, quarantined -> active | rejected | retracted. quarantined:
    it carries instructions, or was said among some. archived: no longer worth a place in recall, true or not; still
    there for who asks for it.
    """

    ACTIVE = "active"
    PENDING = "pending"
    QUARANTINED = "quarantined"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    ARCHIVED = "archived"
    REJECTED = "rejected"


WAITING = (Status.PENDING, Status.QUARANTINED)
"""A person decides on these; until then they are recalled by nobody and supersede nothing."""


class Contradiction(models.TextChoices):
    """How a successor contradicts: the old was true until then (natural), or never was (harsh)."""

    NATURAL = "natural"
    HARSH = "harsh"


class MemoryQuerySet(models.QuerySet["Memory"]):
    """Reads of memories; row-level security has already hidden what the scope may not see."""

    def active(self) -> Self:
        """Return what is believed now."""
        return self.filter(status=Status.ACTIVE)

    def recallable(
        self,
        *,
        judged_at: datetime,
        valid_at: datetime | None,
        as_of: datetime | None,
        superseded: bool,
        archived: bool = False,
    ) -> Self:
        """Return what may be recalled; the same condition as backends.search.base.Where, judged exactly.

        And without what lost evidence, until it is rebuilt: nobody knows yet whether it stands.
        """
        stands = Q(accepted_at__isnull=False, rebuild_due_at__isnull=True)
        alive = stands & (Q(expires_at__isnull=True) | Q(expires_at__gt=judged_at))
        true = Q()
        if valid_at is not None:
            true = Q(valid_from__lte=valid_at) & (Q(valid_to__isnull=True) | Q(valid_to__gt=valid_at))
        believed, by_then = Q(closed_at__isnull=True), Q()
        if as_of is not None:
            believed = Q(accepted_at__lte=as_of) & (Q(closed_at__isnull=True) | Q(closed_at__gt=as_of))
            by_then = Q(closed_at__lte=as_of)
        closed = Q(status=Status.SUPERSEDED) & by_then
        if valid_at is None and not superseded:
            believed &= Q(valid_to__isnull=True) | Q(valid_to__gt=judged_at)
        chosen = believed & true
        if superseded:
            chosen |= closed & true
        elif valid_at is not None:
            chosen |= closed & true & Q(ended_at__gt=valid_at)
        if archived:
            chosen |= Q(status=Status.ARCHIVED) & by_then & true
        return self.filter(alive & chosen)


class Memory(Versioned):
    """One memory. Episodic: a user's turn, verbatim. Semantic: one assertion. Procedural: a playbook's text.

    author: who said it: the speaker's name where given, else the role.
    context: the lines around it (two before, itself, the next), one a line; searched beside the text.
    predicate, slot: what kind of statement it is; a slot holds one value at a time, null = many values.
    importance, confidence: in [0, 1]. trust: of the least trusted evidence it was made of, or of a better one that
    said the same again.
    valid_from, valid_to: when it is true in the world, half-open; null = still.
    recorded_at: when it arrived; accepted_at, closed_at: when it is believed here, half-open; null = not yet, still.
    expires_at: when it is no longer recalled, computed once on writing; null = never.
    superseded_by, contradiction: its successor, and how that contradicts it.
    ended_at: when it ceased to be true because the successor's began; null where it never was true.
    restores: the closed row that this one is a copy of.
    frequency: how often it was said. on_hold: must not be erased. rebuild_due_at: lost some of its evidence then.
    consolidated_by: the run that has read an episode; null = none yet. No foreign key: rooms above know this one.
    """

    session = reference(Session, null=True)
    turn = reference(Turn, null=True)
    entity = reference(Entity, null=True)
    agent_id = models.CharField(max_length=EXTERNAL_ID_MAX_LENGTH, null=True)  # noqa: DJ001 - null: no agent
    memory_type = models.CharField(max_length=32, choices=[(kind, kind) for kind in names.MEMORY_KINDS])
    category = models.CharField(max_length=CATEGORY_MAX_LENGTH, default="")
    predicate = models.CharField(max_length=SLOT_MAX_LENGTH, default="")
    slot = models.CharField(max_length=SLOT_MAX_LENGTH, null=True)  # noqa: DJ001 - null: many values
    author = models.CharField(max_length=SPEAKER_MAX_LENGTH)
    text = models.TextField()
    context = models.TextField(default="")
    importance = models.FloatField(default=0.5)
    confidence = models.FloatField(default=1.0)
    status = models.CharField(max_length=16, choices=Status, default=Status.ACTIVE)
    trust = models.CharField(max_length=16, choices=CHOICES, default=Trust.USER.value)
    tags = ArrayField(models.CharField(max_length=TAG_MAX_LENGTH), default=list)
    metadata = models.JSONField(default=dict)
    sensitive_notes = models.TextField(default="")
    content_hash = models.BinaryField(max_length=32)
    frequency = models.PositiveIntegerField(default=1)
    valid_from = models.DateTimeField()
    valid_to = models.DateTimeField(null=True)
    recorded_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    superseded_by = reference("self", null=True)
    contradiction = models.CharField(max_length=16, choices=Contradiction, default="")
    ended_at = models.DateTimeField(null=True)
    restores = reference("self", null=True)
    on_hold = models.BooleanField(default=False)
    rebuild_due_at = models.DateTimeField(null=True)
    consolidated_by = models.UUIDField(null=True)

    objects = MemoryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "memories"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="memory_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "turn"],
                condition=Q(memory_type=names.EPISODIC, status=Status.ACTIVE),
                name="one_active_episodic_memory_a_turn",
            ),
            models.UniqueConstraint(
                fields=["tenant", "subject", "entity", "slot", "compartments"],
                condition=Q(status=Status.ACTIVE, slot__isnull=False, valid_to__isnull=True),
                nulls_distinct=False,
                name="one_active_memory_a_slot",
            ),
            models.UniqueConstraint(
                fields=["tenant", "subject", "entity", "agent_id", "content_hash", "compartments"],
                condition=Q(status=Status.ACTIVE, memory_type=names.SEMANTIC, valid_to__isnull=True),
                nulls_distinct=False,
                name="one_active_semantic_text",
            ),
            models.CheckConstraint(condition=Q(memory_type__in=names.MEMORY_KINDS), name="memory_type"),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="memory_status"),
            models.CheckConstraint(condition=Q(trust__in=VALUES), name="memory_trust"),
            models.CheckConstraint(
                condition=Q(valid_to__isnull=True) | Q(valid_to__gte=F("valid_from")), name="memory_valid_period"
            ),
            models.CheckConstraint(
                condition=~Q(memory_type=names.EPISODIC) | Q(turn__isnull=False, session__isnull=False),
                name="episodic_memory_has_its_turn",
            ),
            models.CheckConstraint(
                condition=Q(importance__gte=0, importance__lte=1, confidence__gte=0, confidence__lte=1),
                name="memory_importance_and_confidence",
            ),
            models.CheckConstraint(
                condition=Q(status=Status.ACTIVE, closed_at__isnull=True, accepted_at__isnull=False)
                | Q(status__in=WAITING, closed_at__isnull=True, accepted_at__isnull=True)
                | Q(status__in=[Status.SUPERSEDED, Status.RETRACTED, Status.ARCHIVED], closed_at__isnull=False)
                | Q(status=Status.REJECTED, closed_at__isnull=False, accepted_at__isnull=True),
                name="memory_status_and_moments",
            ),
            models.CheckConstraint(
                condition=Q(status=Status.SUPERSEDED, superseded_by__isnull=False, contradiction__gt="")
                | ~Q(status=Status.SUPERSEDED)
                & Q(superseded_by__isnull=True, contradiction="", ended_at__isnull=True),
                name="superseded_memory_has_its_successor",
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "subject", "-recorded_at"], name="memory_newest"),
            models.Index(fields=["tenant", "superseded_by"], name="memory_successor"),
            models.Index(
                fields=["tenant", "subject"],
                condition=Q(
                    memory_type=names.EPISODIC,
                    status__in=[Status.ACTIVE, Status.QUARANTINED],
                    consolidated_by__isnull=True,
                ),
                name="episode_to_consolidate",
            ),
            models.Index(
                fields=["rebuild_due_at"], condition=Q(rebuild_due_at__isnull=False), name="memory_to_rebuild"
            ),
        ]

    @property
    def kind(self) -> str:
        """Return the name of what it is, as searches call it."""
        return self.memory_type
