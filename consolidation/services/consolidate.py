"""Consolidate: one pass over the next episodes of a run.

1. select: what nobody has read. 2. extract, in no transaction: what each turn states. 3. reconcile and apply, a
transaction an episode: judged against what is believed at that moment, written, decided and marked.
"""

from datetime import datetime

from consolidation.models import Run
from consolidation.rules.extract import extract
from consolidation.services.apply import apply
from consolidation.services.runs import renew
from consolidation.services.select import select


def consolidate(run: Run, *, now: datetime) -> int:
    """Consolidate the run's next episodes and return how many there were; 0 = all are done.

    Raises RunLost, when the run's lease has passed to another.
    """
    renew(run, now=now)
    episodes = select(run)
    for episode in episodes:
        extracted = extract(episode.content, said_at=episode.occurred_at, who=episode.who)
        apply(run, episode, extracted, now=now)
    return len(episodes)
