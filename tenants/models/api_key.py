"""ApiKey: what an agent authenticates with."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject


class ApiKey(TenantOwned):
    """A key of one tenant, or of one subject of it. Only its hash is kept.

    prefix: the public part, by which the row is found before the tenant is known.
    secret_hash: SHA-256 of the whole key; the secret has 256 random bits, so no slow hash is needed.
    template: the name of the template it was issued from; what it may do was copied then.
    requests_a_minute, turns_a_day, recalls_a_minute: null = the site's setting, 0 = without a limit.
    last_used_at: within some minutes; noting it must not slow requests down.
    """

    name = models.CharField(max_length=200)
    prefix = models.CharField(max_length=16, unique=True)
    secret_hash = models.BinaryField(max_length=32)
    subject = reference(Subject, null=True)
    abilities = ArrayField(models.CharField(max_length=32))
    kinds = ArrayField(models.CharField(max_length=32))
    compartments = ArrayField(models.CharField(max_length=64), default=list)
    hidden_fields = ArrayField(models.CharField(max_length=64), default=list)
    purpose = models.CharField(max_length=200, default="")
    template = models.CharField(max_length=64, default="")
    requests_a_minute = models.PositiveIntegerField(null=True)
    turns_a_day = models.PositiveIntegerField(null=True)
    recalls_a_minute = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "API key"
        constraints = [models.UniqueConstraint(fields=["tenant", "id"], name="api_key_tenant_id")]

    def __str__(self) -> str:
        return self.prefix
