"""The record's own look at what an engine proposes: what is gone, foreign or filtered out never leaves."""

from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from memories.models import Memory
from memories.models.memory import MemoryQuerySet
from memories.services.question import Question
from tenants.scope import Scope

if TYPE_CHECKING:
    from memories.services.prepare_recall import Prepared


def restricted(question: Question, sessions: tuple[UUID, ...] | None) -> MemoryQuerySet:
    """Return the active memories that the question's filters let through."""
    chosen = Memory.objects.active().valid_at(question.valid_at)
    if sessions is not None:
        chosen = chosen.filter(session_id__in=sessions)
    if question.agent_id is not None:
        chosen = chosen.filter(agent_id=question.agent_id)
    return chosen


def read_back(
    scope: Scope, ids: Sequence[UUID], question: Question, sessions: tuple[UUID, ...] | None
) -> dict[UUID, Memory]:
    """Return the first top_k of the ranked ids that the record confirms, with turn and session. The scope is open.

    Rows are read in slices down the ranking, so that a stale engine costs a second slice and not an answer.
    """
    found: dict[UUID, Memory] = {}
    for start in range(0, len(ids), question.top_k):
        wanted = question.top_k - len(found)
        if wanted <= 0:
            break
        part = ids[start : start + question.top_k]
        confirmed = {
            memory.id: memory
            for memory in restricted(question, sessions)
            .filter(tenant_id=scope.tenant_id, memory_type__in=scope.kinds, id__in=part)
            .select_related("turn", "session", "subject")
        }
        ordered = [memory_id for memory_id in part if memory_id in confirmed]
        found.update({memory_id: confirmed[memory_id] for memory_id in ordered[:wanted]})
    return found


def empty_reason(question: Question, prepared: "Prepared") -> str:
    """Return why an answer is empty: nothing_stored, or filtered. The scope is open."""
    restricts = question.valid_at or question.session_id or question.agent_id
    if prepared.searchable and restricts and Memory.objects.exists():
        return "filtered"
    return "nothing_stored"
