"""Acts: what verbs of the record have done, as a receipt tells it."""

from collections import Counter
from collections.abc import Iterable

from consolidation.models.receipt import Act, Doing
from memories.services.closed import Closed


def acts_of(closed: Closed) -> list[Act]:
    """Return what followed from closing memories."""
    return [
        *(Act(doing=Doing.RETRACTED, row=memory_id, before=status) for memory_id, status in closed.retracted),
        *(Act(doing=Doing.REVIVED, row=copy_id, other=original_id) for copy_id, original_id in closed.revived),
        *(Act(doing=Doing.WEAKENED, row=memory_id) for memory_id in closed.weakened),
    ]


def counts_of(acts: Iterable[Act]) -> dict[str, int]:
    """Return how often what was done."""
    return dict(Counter(act.doing.value for act in acts))
