"""Root: the turn or memory whose consequences are asked for."""

from dataclasses import dataclass
from uuid import UUID

from backends.search import names
from memories.models import Memory, Turn
from memories.services.find_memory import find_memory
from memories.services.lineage import with_ancestors, with_later_rows
from tenants.scope import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """Where consequences begin.

    id: as it was named. turn_id: the turn; None for a memory that is none. memory_ids: the episode's rows, or all
    rows of the memory, earlier and later ones.
    """

    id: UUID
    turn_id: UUID | None
    memory_ids: frozenset[UUID]
    subject_id: UUID | None
    compartments: tuple[str, ...]

    @property
    def verb(self) -> str:
        """Return what it is, in a word."""
        return "memory" if self.turn_id is None else "turn"


def root_of_turn(scope: Scope, turn_id: UUID) -> Root:
    """Return a turn as a root. The scope is open. Raises Turn.DoesNotExist, when it sees none."""
    if names.EPISODIC not in scope.kinds:
        raise Turn.DoesNotExist
    turn = Turn.objects.get(id=turn_id)
    return _of_turn(turn, turn_id)


def root_of_memory(scope: Scope, memory_id: UUID) -> Root:
    """Return a memory as a root; an episode is its turn. The scope is open. Raises Memory.DoesNotExist."""
    memory = find_memory(scope, memory_id)
    if memory.turn is not None:
        return _of_turn(memory.turn, memory_id)
    rows = with_ancestors([memory.id]) | with_later_rows(memory.id)
    return Root(
        id=memory_id,
        turn_id=None,
        memory_ids=frozenset(rows),
        subject_id=memory.subject_id,
        compartments=tuple(memory.compartments),
    )


def _of_turn(turn: Turn, named: UUID) -> Root:
    episodes = Memory.objects.filter(turn_id=turn.id).values_list("id", flat=True)
    return Root(
        id=named,
        turn_id=turn.id,
        memory_ids=frozenset(episodes),
        subject_id=turn.subject_id,
        compartments=tuple(turn.compartments),
    )
