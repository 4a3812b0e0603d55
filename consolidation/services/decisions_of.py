"""Decisions of: what became of one candidate, as it is noted; one for each thing that was written or gave way."""

from collections.abc import Iterator
from datetime import datetime

from consolidation.models import Decision, Run
from consolidation.models.decision import Verdict
from consolidation.rules.candidate import Candidate
from consolidation.services.decide import decide
from consolidation.services.select import Episode
from consolidation.services.world import merged_for
from consolidation.services.write import Written

REST = "rest"


def decisions_of(
    run: Run, episode: Episode, candidate: Candidate, written: Written, *, united: bool, now: datetime
) -> list[Decision]:
    """Return the decisions on a candidate, to note; a review is opened where it asks for one. The scope is open.

    united: entities that it names became one.
    """
    return [
        decide(
            run,
            episode,
            one,
            now=now,
            rule=candidate.rule,
            start=candidate.start,
            end=candidate.end,
            confidence=candidate.confidence,
        )
        for one in (*_parts(written), *([merged_for(written)] if united else []))
    ]


def _parts(written: Written) -> Iterator[Written]:
    yield written
    for met_id in written.also:
        yield Written(verdict=written.verdict, why=written.why, memory_id=written.memory_id, met_id=met_id)
    for rest in written.rests:
        yield Written(verdict=Verdict.ADDED, why=REST, memory_id=rest.memory_id, met_id=rest.of_id)
