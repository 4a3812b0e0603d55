"""Offboarding: a tenant on its way out, and the proof that it is gone."""

from django.db import models

from tenants.ids import uuid7


class Step(models.TextChoices):
    """How far an offboarding has come: each step may be done again after a crash."""

    ROWS = "rows", "Rows"
    TENANT = "tenant", "Tenant"
    ENGINE = "engine", "Engine"
    DONE = "done", "Done"


class Offboarding(models.Model):
    """The job that takes a tenant away. No foreign key, and no tenant's row: it outlives what it removes.

    slug: emptied when the receipt is in its file. key_ids: of its API keys, whose counters go too. before: counts by
    table and engine before anything went. revoked: how many keys and credentials were. message: why it waits, as a
    code. due_at: from then on; what was under way when it began has ended. receipt: canonical JSON, signed.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField(unique=True)
    slug = models.CharField(max_length=63)
    step = models.CharField(max_length=16, choices=Step, default=Step.ROWS)
    key_ids = models.JSONField(default=list)
    before = models.JSONField(default=dict)
    revoked = models.JSONField(default=dict)
    message = models.CharField(max_length=500, default="")
    receipt = models.TextField(default="")
    due_at = models.DateTimeField()
    began_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.tenant_id} {self.step}"
