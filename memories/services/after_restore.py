"""After a restore: what an older backup of the record must be told before it is served again."""

from collections.abc import Iterable
from datetime import datetime

from backends.search.base import SearchEngine
from memories.models import OutboxEntry
from memories.services.drift import raise_versions
from memories.services.erase import erase
from memories.services.erasure_ledger import Erased
from tenants.models import Subject
from tenants.services.create_tenant import system_scope
from tenants.services.open_scope import open_operator

MARGIN = 1_000_000
"""Versions left out above the engine's highest: of what it removed since, it remembers versions and shows none."""


def raise_above(engine: SearchEngine) -> int:
    """Let every later version be above all that the engine ever saw, and return its highest.

    Otherwise it would take what is written from now on for older than what it has, and keep what it has.
    """
    highest = engine.highest_version()
    with open_operator():
        raise_versions(highest + MARGIN)
    return highest


def erase_again(erased: Iterable[Erased], *, now: datetime) -> int:
    """Begin the erasures anew that the backup does not know, and return how many; the barrier stands from now on."""
    begun = 0
    for one in erased:
        with open_operator():
            back = Subject.objects.filter(id=one.subject_id, tenant_id=one.tenant_id, erased_at__isnull=True).exists()
        if back:
            erase(system_scope(one.tenant_id), one.subject_id, now=now)
            begun += 1
    return begun


def still_waiting() -> int:
    """Return how many documents of all tenants are not in the engine as they are; dead letters wait for nothing."""
    with open_operator():
        return OutboxEntry.objects.filter(applied_at__isnull=True, dead_at__isnull=True).count()
