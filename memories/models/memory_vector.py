"""MemoryVector: a memory's embedding under one model."""

from django.db import models

from memories.models.memory import Memory
from memories.models.vector import Vector
from tenants.models.owned import reference


class MemoryVector(Vector):
    """The vector of one memory by one model."""

    memory = reference(Memory)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "memory", "model"], name="one_vector_a_memory_and_model"),
            models.UniqueConstraint(fields=["tenant", "id"], name="memory_vector_tenant_id"),
        ]
