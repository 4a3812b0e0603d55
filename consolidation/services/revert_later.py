"""Revert later: what is too much for one request is a job of the worker's."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db import DatabaseError, transaction
from django.db.models import Q

from consolidation.models import Receipt
from consolidation.models.receipt import ReceiptKind
from consolidation.services.acts import counts_of
from consolidation.services.derived import FindRoot, edges_below
from consolidation.services.jobs import TASK
from consolidation.services.revert import may_revert, revert
from consolidation.services.root import root_of_memory, root_of_turn
from memories.models import Memory, Turn
from memories.services.wake import wake
from tenants.models import Job
from tenants.models.job import State
from tenants.scope import Scope
from tenants.services.create_tenant import system_scope
from tenants.services.jobs_left import jobs_left
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_operator, open_scope, open_unseen

AT_ONCE_MAX = 200
"""Memories that one request takes back."""
KINDS = {"revert.turn": root_of_turn, "revert.memory": root_of_memory}


def revert_or_ask(scope: Scope, find_root: FindRoot, root_id: UUID, *, now: datetime) -> Receipt | Job:
    """Take back all that came of a root, or leave it to the worker and return the job to follow.

    Raises as revert does.
    """
    may_revert(scope)
    with open_scope(scope):
        root = find_root(scope, root_id)
        with open_unseen(scope):
            edges, _ = edges_below(root)
        if len(edges) > AT_ONCE_MAX:
            job = Job.objects.create(
                tenant_id=scope.tenant_id,
                kind=f"revert.{root.verb}",
                object_id=root.turn_id or root.id,
                total=len(edges),
                created_at=now,
                updated_at=now,
            )
            ids = [job.id, job.object_id or root.id]
            note_event(scope, "revert.asked", object_ids=ids, data={"root": root.verb}, now=now)
            transaction.on_commit(lambda: wake(TASK))
            return job
    return revert(scope, find_root, root_id, now=now)


def open_reverts() -> list[UUID]:
    """Return the jobs that are not done, oldest first."""
    return jobs_left(*KINDS)


def do_revert(job_id: UUID, *, now: datetime) -> None:
    """Do one job. One whose worker died after the revert finds its receipt; a root that is gone has nothing left."""
    with open_operator():
        job = Job.objects.get(id=job_id)
        root: Turn | Memory | None = (
            Turn.objects.filter(Q(id=job.object_id)).first()
            if job.kind == "revert.turn"
            else Memory.objects.filter(Q(id=job.object_id)).first()
        )
        done = Receipt.objects.filter(
            Q(root_id=job.object_id, tenant_id=job.tenant_id, made_at__gte=job.created_at, kind=ReceiptKind.REVERT)
        ).first()
    state, message, result = State.DONE, "", dict[str, int | str]()
    try:
        if done is None and root is not None:
            scope = replace(system_scope(job.tenant_id), compartments=tuple(root.compartments))
            done = revert(scope, KINDS[job.kind], root.id, now=now)
    except DatabaseError as error:
        state, message = State.RUNNING, f"waits and is tried again: {type(error).__name__}"
    if done is not None:
        result = {"revert_id": str(done.id), **counts_of(done.done())}
    with open_operator():
        Job.objects.filter(id=job.id).exclude(state=State.DONE).update(
            state=state, done=job.total if state == State.DONE else 0, message=message, result=result, updated_at=now
        )
