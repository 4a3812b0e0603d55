"""Live tenants: those whose work goes on."""

from uuid import UUID

from tenants.models import Tenant
from tenants.services.open_scope import open_operator


def live_tenants() -> list[UUID]:
    """Return the tenants that are neither suspended nor offboarded, oldest first. Only the worker's login may."""
    with open_operator():
        live = Tenant.objects.filter(suspended_at__isnull=True, offboarding_at__isnull=True)
        return list(live.order_by("id").values_list("id", flat=True))
