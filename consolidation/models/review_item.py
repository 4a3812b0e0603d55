"""ReviewItem: what a person should look at."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from consolidation.models.run import Run
from memories.models import Entity, Memory, Turn
from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject


class ReviewKind(models.TextChoices):
    """Why it is here.

    unsure: a pending memory. conflict: a pending memory against a well-founded one. instruction: a turn that tells
    the memory what to do, or a memory in quarantine that comes of one. rebuild: a memory that lost evidence, and
    nobody can tell whether it stands. merge: two entities that are likely to be one.
    """

    UNSURE = "unsure"
    CONFLICT = "conflict"
    INSTRUCTION = "instruction"
    REBUILD = "rebuild"
    MERGE = "merge"


class ReviewState(models.TextChoices):
    """open -> accepted | rejected."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class ReviewItem(TenantOwned):
    """One thing to decide, with what it is about by id.

    memory: what is decided on; null for an instruction that nothing came of. met: what it contradicts. turn: where it
    was said; null where no turn is left. run: null for what no run found. entity, other_entity: of a merge, the older
    one first.
    """

    subject = reference(Subject, null=True)
    compartments = ArrayField(models.CharField(max_length=64), default=list)
    run = reference(Run, null=True)
    kind = models.CharField(max_length=16, choices=ReviewKind)
    state = models.CharField(max_length=16, choices=ReviewState, default=ReviewState.OPEN)
    memory = reference(Memory, null=True)
    met = reference(Memory, null=True)
    turn = reference(Turn, null=True)
    entity = reference(Entity, null=True)
    other_entity = reference(Entity, null=True)
    opened_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="review_item_tenant_id"),
            models.CheckConstraint(condition=Q(kind__in=ReviewKind.values), name="review_kind"),
            models.CheckConstraint(
                condition=Q(kind=ReviewKind.MERGE, entity__isnull=False, other_entity__isnull=False)
                | (~Q(kind=ReviewKind.MERGE) & Q(entity__isnull=True, other_entity__isnull=True)),
                name="review_entities",
            ),
            models.CheckConstraint(
                condition=Q(state=ReviewState.OPEN, decided_at__isnull=True)
                | Q(state__in=[ReviewState.ACCEPTED, ReviewState.REJECTED], decided_at__isnull=False),
                name="review_state",
            ),
        ]
        indexes = [models.Index(fields=["tenant", "state", "-id"], name="review_open")]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"
