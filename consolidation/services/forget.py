"""Forget: what is held too weakly is archived; what stayed archived and unused is deleted, if the policy says so."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from backends.llms.base import LLM
from consolidation.services.fading import Figure, faded, lost, touched
from consolidation.services.old_episodes import Conversation, old_conversations
from consolidation.services.summarise import summarise_old
from memories.services.archive import archive
from memories.services.delete_archived import delete_archived
from tenants.models import Subject
from tenants.scope import Ability, Scope
from tenants.services.create_tenant import system_scope
from tenants.services.open_scope import open_scope, open_unseen
from tenants.services.policy_of import policy_of

BATCH = 500
FIRST = UUID(int=0)
"""Before every user."""
PREVIEW_MAX = 10_000
"""A preview counts so many at most."""


@dataclass(slots=True, kw_only=True)
class Forgotten:
    """What was done, in memories.

    summarised: episodes that a summary stands for now. silent: sessions of which nothing can be told.
    after: the last user of whom all was done. left: the time was up before all was done.
    """

    after: UUID
    summarised: int = 0
    archived: int = 0
    deleted: int = 0
    silent: set[UUID] = field(default_factory=set)
    left: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What forgetting would do now, among what a scope can see."""

    summarise: list[Conversation]
    archive: list[Figure]
    delete: list[Figure]


def preview(scope: Scope, *, user_id: str | None, now: datetime) -> Preview:
    """Return what forgetting would archive and delete now; nothing is changed.

    Raises ScopeDenied, when the key has not the ability consolidate, or is a user's own; Subject.DoesNotExist.
    """
    scope.require(Ability.CONSOLIDATE)
    scope.require(Ability.MEMORIES_READ)
    scope.require_whole_tenant("forgetting is")
    with open_scope(scope):
        subject_id = None
        if user_id is not None:
            subject_id = Subject.objects.get(tenant_id=scope.tenant_id, external_id=user_id).id
        policy = policy_of()
        asked = (scope.tenant_id, subject_id, policy)
        return Preview(
            summarise=old_conversations(*asked, limit=PREVIEW_MAX, now=now),
            archive=faded(*asked, limit=PREVIEW_MAX, now=now),
            delete=lost(*asked, limit=PREVIEW_MAX, now=now),
        )


def forget(
    tenant_id: UUID,
    subject_id: UUID | None = None,
    *,
    clock: Callable[[], datetime],
    llm: LLM | None = None,
    after: UUID = FIRST,
    until: float | None = None,
) -> Forgotten:
    """Forget of a tenant, user by user, or of one of them, over all compartments and kinds; a batch a transaction.

    1. Old conversations are summarised, so that what is archived is told of. 2. What has faded is archived. 3. What
    was archived for long is deleted.

    llm: writes the summaries, where the site has one. after: goes on after this user. until: in time.monotonic();
    what is left then waits for the next call; one user is gone through at least. Killed, it goes on there: each batch
    is found anew. Only the worker's login may delete.
    """
    scope, done = system_scope(tenant_id), Forgotten(after=after)
    if subject_id is not None:
        wanted = [subject_id]
    else:
        with open_unseen(scope):
            wanted = touched(tenant_id, policy_of(), after=after, now=clock())
    for one in wanted:
        if done.after != after and _is_over(until):
            done.left = True
            break
        done.left = not _forgotten(scope, one, done, clock=clock, llm=llm, until=until)
        if done.left:
            break
        done.after = one
    return done


def _is_over(until: float | None) -> bool:
    return until is not None and time.monotonic() > until


def _forgotten(
    scope: Scope,
    subject_id: UUID,
    done: Forgotten,
    *,
    clock: Callable[[], datetime],
    llm: LLM | None,
    until: float | None,
) -> bool:
    """Forget of one user; say whether that was all."""
    steps: tuple[Callable[[], bool], ...] = (
        lambda: _summarise_some(scope, subject_id, done, clock=clock, llm=llm),
        lambda: _archive_some(scope, subject_id, done, now=clock()),
        lambda: _delete_some(scope, subject_id, done, now=clock()),
    )
    for step in steps:
        while step():
            if _is_over(until):
                return False
    return True


def _summarise_some(
    scope: Scope, subject_id: UUID, done: Forgotten, *, clock: Callable[[], datetime], llm: LLM | None
) -> bool:
    """Summarise some conversations; say whether there may be more."""
    silent = len(done.silent)
    episodes = summarise_old(scope.tenant_id, subject_id, clock=clock, llm=llm, without=done.silent)
    done.summarised += episodes
    return episodes > 0 or len(done.silent) > silent


def _archive_some(scope: Scope, subject_id: UUID, done: Forgotten, *, now: datetime) -> bool:
    """Archive a batch; say whether there may be more."""
    with open_unseen(scope):
        found = faded(scope.tenant_id, subject_id, policy_of(), limit=BATCH, now=now)
        ids = archive(scope, [figure.id for figure in found], reason="faded", now=now)
    done.archived += len(ids)
    return len(found) == BATCH and bool(ids)


def _delete_some(scope: Scope, subject_id: UUID, done: Forgotten, *, now: datetime) -> bool:
    """Delete a batch; say whether there may be more."""
    with open_unseen(scope):
        found = lost(scope.tenant_id, subject_id, policy_of(), limit=BATCH, now=now)
    ids = delete_archived(scope, [figure.id for figure in found], now=now) if found else []
    done.deleted += len(ids)
    return len(found) == BATCH and bool(ids)
