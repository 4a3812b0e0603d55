"""Entity: a person, place, thing or product that memories are about."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from backends.search import names
from memories.models.versioned import Versioned

NAME_MAX_LENGTH = 200
TYPE_MAX_LENGTH = 64


class Entity(Versioned):
    """One thing that memories are about, with the other names it goes by.

    aliases: other names, each once, as written. attributes: what is known of it, by name.
    recorded_at, closed_at: when it is known here, half-open; null = still.
    """

    entity_type = models.CharField(max_length=TYPE_MAX_LENGTH)
    name = models.CharField(max_length=NAME_MAX_LENGTH)
    aliases = ArrayField(models.CharField(max_length=NAME_MAX_LENGTH), default=list)
    attributes = models.JSONField(default=dict)
    recorded_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "subject", "entity_type", "name", "compartments"],
                condition=Q(closed_at__isnull=True),
                nulls_distinct=False,
                name="one_open_entity_a_type_and_name",
            ),
            models.UniqueConstraint(fields=["tenant", "id"], name="entity_tenant_id"),
        ]

    @property
    def kind(self) -> str:
        """Return the name of what it is, as searches call it."""
        return names.ENTITY
