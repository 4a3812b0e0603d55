"""Relation: how one entity stands to another."""

from django.db import models
from django.db.models import F, Q

from backends.search import names
from memories.models.entity import Entity
from memories.models.versioned import Versioned
from tenants.models.owned import reference

PREDICATE_MAX_LENGTH = 128


class Relation(Versioned):
    """One edge: subject entity, predicate, object entity.

    weight: how strong or how often seen, > 0, 1 = said once.
    valid_from, valid_to: when it is true in the world, half-open; null = open.
    recorded_at, closed_at: when it is believed here, half-open; null = still.
    """

    subject_entity = reference(Entity)
    predicate = models.CharField(max_length=PREDICATE_MAX_LENGTH)
    object_entity = reference(Entity)
    weight = models.FloatField(default=1.0)
    valid_from = models.DateTimeField()
    valid_to = models.DateTimeField(null=True)
    recorded_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "subject", "subject_entity", "predicate", "object_entity", "compartments"],
                condition=Q(closed_at__isnull=True, valid_to__isnull=True),
                nulls_distinct=False,
                name="one_open_relation_a_pair_and_predicate",
            ),
            models.UniqueConstraint(fields=["tenant", "id"], name="relation_tenant_id"),
            models.CheckConstraint(condition=Q(weight__gt=0), name="relation_weight"),
            models.CheckConstraint(
                condition=Q(valid_to__isnull=True) | Q(valid_to__gte=F("valid_from")), name="relation_valid_period"
            ),
        ]

    @property
    def kind(self) -> str:
        """Return the name of what it is, as searches call it."""
        return names.RELATION
