"""Entities that something new will be about, held open until it is written."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Q

from memories.models import Entity


def lock_entities(within: Q, ids: Iterable[UUID]) -> set[UUID]:
    """Return which of the entities are open, with the rows that the scope may change locked until it closes.

    So whoever closes one of them meanwhile waits, and then sees what was written. within: whose they may be.
    The scope is open.
    """
    wanted = sorted(set(ids))
    list(Entity.objects.select_for_update(no_key=True).filter(id__in=wanted).order_by("id").values_list("id"))
    open_ones = Entity.objects.filter(within, id__in=wanted, closed_at__isnull=True)
    return set(open_ones.values_list("id", flat=True))
