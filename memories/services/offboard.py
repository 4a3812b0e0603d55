"""Offboard a tenant: all that is kept of it goes, and a signed receipt says what there was and that nothing is left.

Each step leaves the database so that it may be done again: whoever is killed in between loses nothing. The tenant's
chain of events stays: it holds ids, counts and codes, its pseudonyms lead nowhere any more, and it ends with the
tenant's end.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction

from backends.search.base import SearchEngine
from memories.services.purge_rows import count_rows
from memories.services.wake import wake
from tenants.models import ApiKey, Offboarding, Tenant
from tenants.services.create_tenant import system_scope
from tenants.services.note_event import note_event
from tenants.services.note_site_event import note_site_event
from tenants.services.open_scope import open_operator
from tenants.services.signing import audit_key

GRACE = timedelta(seconds=30)
"""How long requests that were admitted before may still be under way."""


class NoSuchTenant(Exception):
    """There is no tenant of this slug, and none that is on its way out."""


def offboard(slug: str, *, engine: SearchEngine, grace: timedelta = GRACE, now: datetime) -> Offboarding:
    """Begin to take a tenant away, or return what has begun and has no receipt yet; nothing brings it back.

    From the commit on every key is refused and revoked, and sockets are closed. Only the worker's login may.
    Raises NoSuchTenant; NoAuditKey, when no receipt could be signed; as the engine's count_of_tenant does.
    """
    audit_key()
    with open_operator():
        tenant = Tenant.objects.filter(slug=slug).first()
        begun = Offboarding.objects.filter(slug=slug).order_by("-began_at").first()
    if begun is not None and (tenant is None or tenant.id == begun.tenant_id):
        return begun
    if tenant is None:
        raise NoSuchTenant(slug)
    held = engine.count_of_tenant(tenant.id)
    counts = {**count_rows(tenant.id), f"engine {engine.name}": held}
    with transaction.atomic():
        job, is_new = _begin(tenant, counts, due_at=now + grace, now=now)
        if is_new:
            note_site_event("tenant.offboarding_begun", object_ids=[tenant.id, job.id], now=now)
            transaction.on_commit(lambda: wake("memories.offboard"))
    return job


def _begin(tenant: Tenant, counts: Mapping[str, int], *, due_at: datetime, now: datetime) -> tuple[Offboarding, bool]:
    """Return the job, and whether it begins here: of two that begin at once, one finds the tenant marked."""
    with open_operator():
        if not Tenant.objects.filter(id=tenant.id, offboarding_at__isnull=True).update(offboarding_at=now):
            return Offboarding.objects.get(tenant_id=tenant.id), False
        Tenant.objects.filter(id=tenant.id, suspended_at__isnull=True).update(suspended_at=now)
        keys = ApiKey.objects.filter(tenant_id=tenant.id)
        revoked = keys.filter(revoked_at__isnull=True).update(revoked_at=now)
        job = Offboarding.objects.create(
            tenant_id=tenant.id,
            slug=tenant.slug,
            key_ids=[str(key_id) for key_id in keys.values_list("id", flat=True)],
            before=dict(counts),
            revoked={"api_keys": revoked, "engine_credentials": 0},
            due_at=due_at,
            began_at=now,
            updated_at=now,
        )
        note_event(system_scope(tenant.id), "tenant.offboarding_begun", object_ids=[tenant.id, job.id], now=now)
    return job, True
