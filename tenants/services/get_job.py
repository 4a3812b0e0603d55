"""Get a job."""

from uuid import UUID

from tenants.models import Job
from tenants.scope import Scope
from tenants.services.open_scope import open_scope


def get_job(scope: Scope, job_id: UUID) -> Job:
    """Return a job of the tenant; one user's scope sees none. Raises Job.DoesNotExist."""
    with open_scope(scope):
        return Job.objects.get(id=job_id)
