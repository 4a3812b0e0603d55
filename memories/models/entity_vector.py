"""EntityVector: the embedding of an entity under one model."""

from django.db import models

from memories.models.entity import Entity
from memories.models.vector import Vector
from tenants.models.owned import reference


class EntityVector(Vector):
    """The vector of an entity by one model."""

    entity = reference(Entity)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "entity", "model"], name="one_vector_entity_model"),
            models.UniqueConstraint(fields=["tenant", "id"], name="entity_vector_tenant_id"),
        ]
