"""KeyTemplate: what keys of one purpose are given."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from tenants.models.owned import TenantOwned


class KeyTemplate(TenantOwned):
    """A tenant's own pattern for keys. A key copies it when it is issued; a later change changes no key.

    name: known by it in the API, unique in the tenant. per_user: a key from it belongs to one user.
    lives_days: null = until revoked. Quotas as in ApiKey.
    """

    name = models.SlugField(max_length=64)
    description = models.CharField(max_length=300, default="")
    per_user = models.BooleanField(default=False)
    abilities = ArrayField(models.CharField(max_length=32))
    kinds = ArrayField(models.CharField(max_length=32))
    compartments = ArrayField(models.CharField(max_length=64), default=list)
    hidden_fields = ArrayField(models.CharField(max_length=64), default=list)
    purpose = models.CharField(max_length=200, default="")
    lives_days = models.PositiveIntegerField(null=True)
    requests_a_minute = models.PositiveIntegerField(null=True)
    turns_a_day = models.PositiveIntegerField(null=True)
    recalls_a_minute = models.PositiveIntegerField(null=True)
    changed_at = models.DateTimeField()

    class Meta:
        verbose_name = "key template"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "name"], name="one_template_a_name"),
            models.UniqueConstraint(fields=["tenant", "id"], name="key_template_tenant_id"),
        ]

    def __str__(self) -> str:
        return self.name
