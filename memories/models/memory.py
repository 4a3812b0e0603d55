"""Memory: what an agent may recall."""

from datetime import datetime
from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from backends.search import names
from memories.models.session import Session
from memories.models.turn import SPEAKER_MAX_LENGTH, Turn
from tenants.ids import EXTERNAL_ID_MAX_LENGTH
from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject


class Status(models.TextChoices):
    """The state of a memory; rows never reopen."""

    ACTIVE = "active"


class MemoryQuerySet(models.QuerySet["Memory"]):
    """Reads of memories; row-level security has already hidden what the scope may not see."""

    def active(self) -> Self:
        """Return what is believed now."""
        return self.filter(status=Status.ACTIVE)

    def valid_at(self, moment: datetime | None) -> Self:
        """Return what was true in the world at a moment; None restricts nothing."""
        if moment is None:
            return self
        return self.filter(Q(valid_to__isnull=True) | Q(valid_to__gt=moment), valid_from__lte=moment)


class Memory(TenantOwned):
    """One memory. Episodic: a user's turn, verbatim.

    author: who said it: the speaker's name where given, else the role.
    context: the lines around it (two before, itself, the next), one a line; searched beside the text.
    valid_from, valid_to: when it is true in the world, half-open; null = still.
    recorded_at, closed_at: when it is believed here, half-open; null = still.
    version: changes with what a caller can see. doc_version: changes with what the engine holds. Both by trigger.
    """

    subject = reference(Subject, null=True)
    session = reference(Session, null=True)
    turn = reference(Turn, null=True)
    agent_id = models.CharField(max_length=EXTERNAL_ID_MAX_LENGTH, null=True)  # noqa: DJ001 - null: no agent
    memory_type = models.CharField(max_length=32, choices=[(kind, kind) for kind in names.KINDS])
    author = models.CharField(max_length=SPEAKER_MAX_LENGTH)
    text = models.TextField()
    context = models.TextField()
    status = models.CharField(max_length=16, choices=Status, default=Status.ACTIVE)
    compartments = ArrayField(models.CharField(max_length=64), default=list)
    content_hash = models.BinaryField(max_length=32)
    valid_from = models.DateTimeField()
    valid_to = models.DateTimeField(null=True)
    recorded_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    version = models.BigIntegerField(default=0)
    doc_version = models.BigIntegerField(default=0)

    objects = MemoryQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="memory_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "turn"],
                condition=Q(memory_type=names.EPISODIC),
                name="one_episodic_memory_a_turn",
            ),
            models.CheckConstraint(condition=Q(memory_type__in=names.KINDS), name="memory_type"),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="memory_status"),
            models.CheckConstraint(
                condition=Q(valid_to__isnull=True) | Q(valid_to__gte=models.F("valid_from")),
                name="memory_valid_period",
            ),
            models.CheckConstraint(
                condition=~Q(memory_type=names.EPISODIC) | Q(turn__isnull=False, session__isnull=False),
                name="episodic_memory_has_its_turn",
            ),
        ]
        indexes = [models.Index(fields=["tenant", "subject", "-recorded_at"], name="memory_newest")]

    def __str__(self) -> str:
        return str(self.id)
