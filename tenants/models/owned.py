"""What every row that belongs to a tenant has in common."""

from typing import Any

from django.db import models

from tenants.ids import uuid7
from tenants.models.tenant import Tenant


def reference(to: Any, *, null: bool = False) -> Any:
    """Return a foreign key whose constraint is a composite one in SQL: (tenant_id, …) -> (tenant_id, id).

    Django cannot express it, so the constraint and its ON DELETE are in the migration.
    """
    return models.ForeignKey(
        to, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, null=null, related_name="+"
    )


class TenantOwned(models.Model):
    """A row of one tenant: forced row-level security shows it only inside a scope of that tenant."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant = reference(Tenant)

    class Meta:
        abstract = True
