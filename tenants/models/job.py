"""Job: the progress of work that takes longer than a request."""

from django.db import models

from tenants.models.owned import TenantOwned


class State(models.TextChoices):
    """The state of a job: pending -> running -> done | failed."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Job(TenantOwned):
    """One piece of long work, asked for by a caller and done by the worker.

    object_id: what it is about. No foreign key: it outlives what it erases.
    done, total: progress in units of the kind. result: counts and states by name; never personal text.
    """

    kind = models.CharField(max_length=64)
    state = models.CharField(max_length=16, choices=State, default=State.PENDING)
    object_id = models.UUIDField(null=True)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    message = models.CharField(max_length=500, default="")
    result = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "id"], name="job_tenant_id")]
        indexes = [models.Index(fields=["state", "kind"], name="job_state")]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"
