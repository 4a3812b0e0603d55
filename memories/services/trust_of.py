"""Trust of a memory that is written: that of the least trusted evidence it is made of."""

from collections.abc import Iterable
from uuid import UUID

from memories.models import Memory, Turn
from memories.services.new_memory import NewMemory
from memories.trust import Trust, least
from tenants.scope import Scope


def trust_of_writer(scope: Scope) -> Trust:
    """Return how far a writer is trusted who names no source: a user's own key speaks for the user, others do not."""
    return Trust.OPERATOR if scope.subject_id is None else Trust.USER


def trust_of(new: NewMemory, *, writer: Trust) -> Trust:
    """Return how far a new memory is trusted: as its sources, or as its writer where it names none.

    The scope is open. A writer may say less, never more.
    """
    trusts = _of_turns(span.turn_id for span in new.spans) + _of_memories(new.parents)
    known = least(trusts, default=writer)
    return known if new.trust is None else least([known, new.trust], default=known)


def raise_trust(memory: Memory, trust: Trust) -> None:
    """Trust a memory further, where a better source has said the same. The scope is open."""
    if trust.rank > Trust(memory.trust).rank:
        Memory.objects.filter(id=memory.id).update(trust=trust)


def _of_turns(turn_ids: Iterable[UUID]) -> list[str]:
    return list(Turn.objects.filter(id__in=list(turn_ids)).values_list("trust", flat=True))


def _of_memories(memory_ids: Iterable[UUID]) -> list[str]:
    return list(Memory.objects.filter(id__in=list(memory_ids)).values_list("trust", flat=True))
