"""Purge the rows of a tenant on its way out, a batch a transaction: triggers note each document's removal."""

import time
from uuid import UUID

from django.db import connection, models

from memories.models import CatalogDocument, Entity, Memory, Relation, Session, Turn
from tenants.models import Subject
from tenants.services.open_scope import open_eraser, open_operator

SUBJECTS = 20
"""With all that hangs from them, so few at a time."""
ROWS = 1_000
_ORDER: tuple[tuple[type[models.Model], int], ...] = (
    (Subject, SUBJECTS),
    (Memory, ROWS),
    (Turn, ROWS),
    (Session, ROWS),
    (Relation, ROWS),
    (Entity, ROWS),
    (CatalogDocument, ROWS),
)


def purge_rows(tenant_id: UUID, *, until: float) -> bool:
    """Delete what is remembered for a tenant; False, when the time ran out first.

    until: in time.monotonic(). Only the worker's login may, and only for a tenant that is marked as leaving.
    """
    for model, batch in _ORDER:
        while _purge_some(model, tenant_id, batch):
            if time.monotonic() > until:
                return False
    return True


def _purge_some(model: type[models.Model], tenant_id: UUID, batch: int) -> int:
    rows = model._default_manager
    with open_eraser():
        ids = list(rows.filter(tenant_id=tenant_id).order_by("id").values_list("id", flat=True)[:batch])
        rows.filter(id__in=ids).delete()
    return len(ids)


def count_rows(tenant_id: UUID) -> dict[str, int]:
    """Return how many rows each table holds of a tenant, the event log left out."""
    with open_operator(), connection.cursor() as cursor:
        cursor.execute("SELECT held_in, held FROM tenants_count_rows(%s)", [tenant_id])
        return dict(cursor.fetchall())
