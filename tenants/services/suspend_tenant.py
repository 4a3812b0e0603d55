"""Suspend a tenant: every key is refused from the commit on; the data stays, and sync and erasures go on."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from tenants.models import Tenant
from tenants.services.create_tenant import system_scope
from tenants.services.note_event import note_event
from tenants.services.note_site_event import note_site_event
from tenants.services.open_scope import open_operator


class TenantLeaving(Exception):
    """The tenant is being offboarded; nothing brings it back."""


def suspend_tenant(tenant_id: UUID, *, now: datetime) -> bool:
    """Suspend a tenant; False, when it was already. Only the worker's login may."""
    return _set(tenant_id, now, kind="tenant.suspended", now=now)


def resume_tenant(tenant_id: UUID, *, now: datetime) -> bool:
    """Let a tenant's keys in again; False, when it was not suspended. Raises TenantLeaving."""
    with open_operator():
        if Tenant.objects.filter(id=tenant_id, offboarding_at__isnull=False).exists():
            raise TenantLeaving
    return _set(tenant_id, None, kind="tenant.resumed", now=now)


def _set(tenant_id: UUID, suspended_at: datetime | None, *, kind: str, now: datetime) -> bool:
    other = Tenant.objects.filter(
        id=tenant_id, offboarding_at__isnull=True, suspended_at__isnull=suspended_at is not None
    )
    with transaction.atomic():
        with open_operator():
            changed = other.update(suspended_at=suspended_at)
            if changed:
                note_event(system_scope(tenant_id), kind, object_ids=[tenant_id], now=now)
        if changed:
            note_site_event(kind, object_ids=[tenant_id], now=now)
    return bool(changed)
