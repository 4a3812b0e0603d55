"""Membership: a user of the admin, in one tenant, with a role."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tenants.models.owned import TenantOwned, reference
from tenants.roles import Role


class Membership(TenantOwned):
    """What lets a signed-in user into a tenant; without one the admin shows the user nothing of it.

    user: of Django's auth tables, which hold no tenant's data; the constraint is in the migration.
    """

    user = reference(settings.AUTH_USER_MODEL)
    role = models.CharField(max_length=16, choices=Role)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = "member"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "user"], name="one_membership_a_user"),
            models.UniqueConstraint(fields=["tenant", "id"], name="membership_tenant_id"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role"),
        ]

    def __str__(self) -> str:
        return str(self.id)
