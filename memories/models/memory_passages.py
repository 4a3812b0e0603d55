"""MemoryPassages: the embeddings of a long memory's passages under one model."""

from django.db import models

from memories.models.memory import Memory
from memories.models.memory_vector import MemoryVector
from memories.models.passages import Passages
from tenants.models.owned import reference


class MemoryPassages(Passages):
    """The passages of one memory by one model. vector: the memory's own, with which they go."""

    memory = reference(Memory)
    vector = reference(MemoryVector)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "memory", "model"], name="one_row_of_passages_memory_model"),
            models.UniqueConstraint(fields=["tenant", "id"], name="memory_passages_tenant_id"),
        ]
