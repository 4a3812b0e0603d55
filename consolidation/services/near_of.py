"""Near of: what is known that is near to the candidates of an episode, where no exact rule settles what they mean."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from consolidation.models import Run
from consolidation.rules.candidate import Candidate
from consolidation.rules.judge import judge
from consolidation.rules.judgement import Ruling
from consolidation.rules.meaning import may_repeat
from consolidation.rules.reading import FAULTS
from consolidation.services.held import held_for
from consolidation.services.near import Near, Nearness
from consolidation.services.runs import scope_of
from consolidation.services.select import Episode
from tenants.services.open_scope import open_scope

NearFacts = Mapping[Candidate, Sequence[Near]]
_UNSETTLED = {Ruling.ADD, Ruling.PEND, Ruling.SUPERSEDE, Ruling.CONTEST, Ruling.PAST}


def near_of(
    run: Run, episode: Episode, candidates: Sequence[Candidate], nearness: Nearness | None, *, now: datetime
) -> NearFacts:
    """Return the facts near to each candidate that may say one of them once more. No scope may be open.

    What the exact rules find to be known already costs neither a search nor a vector.
    """
    asked = [candidate for candidate in candidates if may_repeat(candidate)]
    if nearness is None or not asked:
        return {}
    with open_scope(scope_of(run)):
        asked = [candidate for candidate in asked if _is_unsettled(run, episode, candidate)]
    return dict(zip(asked, nearness.near([candidate.text for candidate in asked], now=now), strict=True))


def _is_unsettled(run: Run, episode: Episode, candidate: Candidate) -> bool:
    held = held_for(run, candidate, who=episode.who, turn_id=episode.turn_id)
    try:
        judged = judge(candidate, held, said_at=episode.occurred_at, trust=episode.trust)
    except FAULTS:
        return False  # told where it is applied, which fails as this does
    return judged.ruling in _UNSETTLED
