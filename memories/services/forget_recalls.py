"""Forget recalls that are older than their tenant's policy keeps them."""

from datetime import datetime, timedelta

from memories.models import RecallLog
from tenants.models import Tenant
from tenants.services.create_tenant import system_scope
from tenants.services.open_scope import open_operator, open_scope
from tenants.services.policy_of import policy_of


def forget_recalls(*, now: datetime) -> int:
    """Remove what is too old of every tenant, and return how many recalls that were."""
    with open_operator():
        tenants = list(Tenant.objects.order_by("id").values_list("id", flat=True))
    removed = 0
    for tenant_id in tenants:
        with open_scope(system_scope(tenant_id)):
            days = policy_of().number("recall.log_days")
        with open_operator():
            old = RecallLog.objects.filter(tenant_id=tenant_id, asked_at__lt=now - timedelta(days=days))
            removed += old.delete()[0]
    return removed
