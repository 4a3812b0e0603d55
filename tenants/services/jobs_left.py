"""Jobs left: those of a kind that are not done."""

from uuid import UUID

from tenants.models import Job
from tenants.models.job import State
from tenants.services.open_scope import open_operator


def jobs_left(*kinds: str) -> list[UUID]:
    """Return the jobs of these kinds that are neither done nor failed, of all tenants, oldest first.

    Only the worker's login may ask.
    """
    with open_operator():
        jobs = Job.objects.filter(kind__in=kinds).exclude(state__in=[State.DONE, State.FAILED])
        return list(jobs.order_by("created_at").values_list("id", flat=True))
