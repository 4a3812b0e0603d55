"""Reindex: bring the whole record to the search engine, as if all of it had just changed."""

from typing import Any
from uuid import UUID

from django.db.models import F

from memories.services.searched import SEARCHED
from tenants.services.open_scope import open_operator

SLICE = 5_000
"""Rows noted in one transaction."""


def reindex() -> int:
    """Give every searched row a new document version, which the outbox notices; return how many rows.

    For an engine that is new or was wiped. The rows themselves stay as they are.
    """
    tables = dict.fromkeys(searched.rows for searched in SEARCHED.values())
    return sum(_touched(table) for table in tables)


def _touched(table: Any) -> int:
    done, last = 0, UUID(int=0)
    while True:
        with open_operator():
            rows = table._default_manager.filter(id__gt=last).order_by("id")
            ids = list(rows.values_list("id", flat=True)[:SLICE])
            table._default_manager.filter(id__in=ids).update(doc_version=F("doc_version") + 1)
        if not ids:
            return done
        done, last = done + len(ids), ids[-1]
