"""Work: runs over whatever is due, each to its end."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import DatabaseError

from backends.llms.base import LLM
from consolidation.models import Run
from consolidation.services.ask_model import extractor_of
from consolidation.services.consolidate import consolidate
from consolidation.services.due import Due
from consolidation.services.near import looking
from consolidation.services.runs import RunLost, RunTaken, begin_run, end_run
from consolidation.services.same_entities import same_entities
from tenants.models import Subject

log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class Worked:
    """What was done: runs that ended, those that failed or had to wait, and decisions by verdict.

    left: the time was up before all was done.
    """

    runs: int = 0
    left: bool = False
    failed: int = 0
    busy: int = 0
    episodes: int = 0
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, run: Run) -> None:
        """Count a run that ended."""
        self.runs += 1
        self.failed += run.error != ""
        self.episodes += run.episodes
        for verdict, count in run.counts.items():
            self.counts[verdict] = self.counts.get(verdict, 0) + count


def work(
    wanted: Sequence[Due],
    *,
    clock: Callable[[], datetime],
    llm: LLM | None = None,
    until: float | None = None,
    told: Callable[[Worked], None] | None = None,
) -> Worked:
    """Run over everything wanted, one user after another; a user that another worker has is left to it.

    clock: gives the time of each pass. until: in time.monotonic(); what is left then waits for the next call.
    llm: reads along with the rules. told: is called after each run.
    """
    worked = Worked()
    extractor = extractor_of(llm)
    for due in wanted:
        if until is not None and time.monotonic() > until:
            worked.left = True
            break
        try:
            run = begin_run(due, extractor=extractor, now=clock())
        except RunTaken:
            worked.busy += 1
            continue
        except Subject.DoesNotExist:
            continue  # erased since it was found due
        done = _to_its_end(run, llm=llm, clock=clock, until=until)
        worked.add(done)
        worked.left |= done.episodes < due.episodes and not done.error
        if told is not None:
            told(worked)
    return worked


def _to_its_end(run: Run, *, llm: LLM | None, clock: Callable[[], datetime], until: float | None) -> Run:
    try:
        with looking(run) as nearness:
            while consolidate(run, llm=llm, nearness=nearness, now=clock()):
                if until is not None and time.monotonic() > until:
                    break
            same_entities(run, nearness, now=clock())
    except RunLost:
        log.warning("consolidation %s: its lease passed to another run", run.id)
        return run
    except DatabaseError as error:
        log.warning("consolidation %s failed and is tried again: %s", run.id, type(error).__name__)
        return end_run(run, error=type(error).__name__, now=clock())
    except Exception as error:  # whatever one user's turns bring about, the others' are read
        log.exception("consolidation %s failed and is tried again", run.id)
        return end_run(run, error=type(error).__name__, now=clock())
    return end_run(run, now=clock())
