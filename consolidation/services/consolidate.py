"""Consolidate: one pass over the next episodes of a run.

1. select: what nobody has read. 2. extract, in no transaction: what each turn states. 3. reconcile and apply, a
transaction an episode: judged against what is believed at that moment, written, decided and marked.
"""

import logging
from datetime import datetime

from consolidation.models import Run
from consolidation.rules.candidate import Extracted
from consolidation.rules.extract import extract
from consolidation.services.apply import apply
from consolidation.services.runs import renew
from consolidation.services.select import Episode, select

log = logging.getLogger(__name__)

FAULTS = (AttributeError, IndexError, KeyError, TypeError, ValueError)


def consolidate(run: Run, *, now: datetime) -> int:
    """Consolidate the run's next episodes and return how many there were; 0 = all are done.

    Raises RunLost, when the run's lease has passed to another.
    """
    renew(run, now=now)
    episodes = select(run)
    for episode in episodes:
        apply(run, episode, _extracted(episode), now=now)
    return len(episodes)


def _extracted(episode: Episode) -> Extracted:
    """Return what an episode states; a fault of a rule costs that one episode its facts, and no other."""
    try:
        return extract(episode.content, said_at=episode.occurred_at, who=episode.who)
    except FAULTS:
        log.exception("consolidation: a rule failed on episode %s", episode.memory_id)
        return Extracted(why="fault")
