"""MemoryVector: a memory's embedding under one model."""

from django.db import models
from pgvector.django import VectorField

from memories.models.memory import Memory
from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject


class MemoryVector(TenantOwned):
    """The vector of one memory by one model; kept, so that an index can be rebuilt without the model."""

    subject = reference(Subject, null=True)
    memory = reference(Memory)
    model = models.CharField(max_length=64)
    vector = VectorField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "memory", "model"], name="one_vector_a_memory_and_model"),
            models.UniqueConstraint(fields=["tenant", "id"], name="memory_vector_tenant_id"),
        ]

    def __str__(self) -> str:
        return str(self.id)
