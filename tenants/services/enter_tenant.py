"""Enter a tenant: a user of the admin has chosen it."""

from datetime import datetime

from tenants.scope import Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope


def enter_tenant(scope: Scope, *, now: datetime) -> None:
    """Note in the tenant's log that the user has come in."""
    with open_scope(scope):
        note_event(scope, "tenant.entered", object_ids=[scope.tenant_id], now=now)
