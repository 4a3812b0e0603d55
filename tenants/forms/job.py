"""Jobs as JSON."""

from typing import Any

from tenants.forms.moments import iso
from tenants.models import Job


def rendered(job: Job) -> dict[str, Any]:
    """Return a job's progress."""
    return {
        "id": str(job.id),
        "kind": job.kind,
        "state": job.state,
        "object_id": str(job.object_id) if job.object_id else None,
        "done": job.done,
        "total": job.total,
        "message": job.message,
        "result": job.result,
        "created_at": iso(job.created_at),
        "updated_at": iso(job.updated_at),
    }
