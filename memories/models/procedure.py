"""Procedure: a playbook, what to do when something occurs, and how often it worked."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from memories.models.memory import Memory
from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject

TRIGGER_MAX_LENGTH = 500
STEP_MAX_LENGTH = 1_000
STEPS_MAX = 50


class Procedure(TenantOwned):
    """One version of a playbook, one-to-one with its procedural memory.

    trigger: when it applies. steps: what to do, in order.
    revision: 1, 2 … along the chain of memories that supersede one another.
    success_count, failure_count: outcomes that users told of this revision.
    """

    subject = reference(Subject, null=True)
    memory = reference(Memory)
    trigger = models.CharField(max_length=TRIGGER_MAX_LENGTH)
    steps = ArrayField(models.CharField(max_length=STEP_MAX_LENGTH))
    revision = models.PositiveIntegerField(default=1)
    success_count = models.PositiveIntegerField(default=0)
    failure_count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "memory"], name="one_procedure_a_memory"),
            models.UniqueConstraint(fields=["tenant", "id"], name="procedure_tenant_id"),
        ]

    def __str__(self) -> str:
        return str(self.id)
