"""Room: whether a tenant's backlog leaves any for a bulk write."""

from django.conf import settings

from memories.models import OutboxEntry

RETRY_AFTER_S = 30


class BacklogFull(Exception):
    """The search engine is too far behind this tenant's writes; send bulk writes again later, single ones go on."""

    retry_after_s = RETRY_AFTER_S


def require_room() -> None:
    """Raise BacklogFull, when the open scope's tenant has SYNC_BACKLOG_MAX documents waiting for the engine.

    So an import waits for the engine, and not the engine's other users for the import.
    """
    alive = OutboxEntry.objects.filter(dead_at__isnull=True, applied_at__isnull=True)
    # order_by() and a slice: no more is counted than asked about.
    if alive.order_by().values("id")[: settings.SYNC_BACKLOG_MAX].count() >= settings.SYNC_BACKLOG_MAX:
        raise BacklogFull(
            f"{settings.SYNC_BACKLOG_MAX} documents of this tenant wait for the search engine already: send the batch"
            " again after Retry-After seconds; GET sync/ says how many wait. Single turns are still taken."
        )
