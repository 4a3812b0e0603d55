"""MemoryUse: how often a memory was recalled."""

from django.db import models

from memories.models.memory import Memory
from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject


class MemoryUse(TenantOwned):
    """Counts of one memory, apart from it: being read never rewrites a memory or its document.

    recalls: in how many answers it was.
    """

    subject = reference(Subject, null=True)
    memory = reference(Memory)
    recalls = models.PositiveBigIntegerField(default=0)
    last_recalled_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "memory"], name="one_use_a_memory")]

    def __str__(self) -> str:
        return str(self.memory_id)
