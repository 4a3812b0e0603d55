"""MemoryTokens: a memory's token vectors under one model."""

from django.db import models

from memories.models.memory import Memory
from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject


class MemoryTokens(TenantOwned):
    """What late interaction compares a question's words with; made by the worker, and only looked at in Postgres.

    vectors: as backends.token_encoders.packing packs them; empty where the model does not know the language.
    """

    subject = reference(Subject, null=True)
    memory = reference(Memory)
    model = models.CharField(max_length=128)
    vectors = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "memory", "model"], name="one_row_of_tokens_a_memory_and_model"
            ),
            models.UniqueConstraint(fields=["tenant", "id"], name="memory_tokens_tenant_id"),
        ]

    def __str__(self) -> str:
        return str(self.id)
