"""RelationVector: the embedding of a relation under one model."""

from django.db import models

from memories.models.relation import Relation
from memories.models.vector import Vector
from tenants.models.owned import reference


class RelationVector(Vector):
    """The vector of a relation by one model."""

    relation = reference(Relation)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "relation", "model"], name="one_vector_relation_model"),
            models.UniqueConstraint(fields=["tenant", "id"], name="relation_vector_tenant_id"),
        ]
