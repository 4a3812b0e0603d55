"""Source: an edge of provenance, from a memory to what it rests on."""

from django.db import models
from django.db.models import F, Q

from memories.models.memory import Memory
from memories.models.turn import SPEAKER_MAX_LENGTH, Turn
from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject


class SourceType(models.TextChoices):
    """Where it comes from."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    API = "api"
    IMPORT = "import"


class SourceRelation(models.TextChoices):
    """What the memory did with it."""

    EXTRACTED = "extracted"
    DERIVED = "derived"
    SUMMARISES = "summarises"
    SUPERSEDES = "supersedes"


class Source(TenantOwned):
    """One edge: memory <- a span of a turn, or a parent memory, or neither (said through the API).

    span_start, span_end: half-open offsets in code points of the turn's content.
    span_hash: SHA-256 of the spanned text in UTF-8. The edge keeps no copy of it.
    method: how it was made: a rule's or a model's name, or "direct". author: who said or wrote it.
    confidence: of this edge, in [0, 1]. voided_at: what came of the turn was reverted then; it is no evidence.
    """

    subject = reference(Subject, null=True)
    memory = reference(Memory)
    turn = reference(Turn, null=True)
    span_start = models.PositiveIntegerField(null=True)
    span_end = models.PositiveIntegerField(null=True)
    span_hash = models.BinaryField(max_length=32, null=True)
    parent = reference(Memory, null=True)
    source_type = models.CharField(max_length=16, choices=SourceType)
    relation = models.CharField(max_length=16, choices=SourceRelation)
    method = models.CharField(max_length=64, default="direct")
    author = models.CharField(max_length=SPEAKER_MAX_LENGTH, default="")
    confidence = models.FloatField(default=1.0)
    recorded_at = models.DateTimeField()
    voided_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="source_tenant_id"),
            models.UniqueConstraint(
                fields=["memory", "turn", "span_start", "span_end"],
                condition=Q(turn__isnull=False),
                name="one_source_a_span",
            ),
            models.CheckConstraint(
                condition=Q(turn__isnull=True) | Q(parent__isnull=True), name="source_is_a_turn_or_a_parent"
            ),
            models.CheckConstraint(
                condition=Q(turn__isnull=True, span_start__isnull=True, span_end__isnull=True, span_hash__isnull=True)
                | Q(turn__isnull=False, span_end__gt=F("span_start"), span_hash__isnull=False),
                name="source_span",
            ),
            models.CheckConstraint(condition=Q(confidence__gte=0, confidence__lte=1), name="source_confidence"),
            models.CheckConstraint(condition=~Q(parent=F("memory")), name="source_is_not_itself"),
        ]

    def __str__(self) -> str:
        return str(self.id)
