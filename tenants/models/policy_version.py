"""PolicyVersion: one version of a tenant's policy."""

from django.db import models
from django.db.models import Q

from tenants.models.owned import TenantOwned
from tenants.scope import ActorKind


class PolicyVersion(TenantOwned):
    """What a tenant's policy said from a moment on; a change is a new row, and none is ever changed.

    version: 1, 2, 3 … in the tenant. said: what differs from the defaults, by key.
    actor, key_id, staff_id: who changed it.
    """

    version = models.PositiveIntegerField()
    said = models.JSONField(default=dict)
    changed_at = models.DateTimeField()
    actor = models.CharField(max_length=16, choices=[(kind, kind) for kind in ActorKind])
    key_id = models.UUIDField(null=True)
    staff_id = models.IntegerField(null=True)

    class Meta:
        verbose_name = "policy version"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "version"], name="one_policy_a_version"),
            models.CheckConstraint(condition=Q(version__gte=1), name="policy_version_counts_from_one"),
        ]

    def __str__(self) -> str:
        return f"version {self.version}"
