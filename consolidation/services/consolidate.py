"""Consolidate: one pass over the next episodes of a run.

1. select: what nobody has read. 2. extract, in no transaction: what each turn states, by rules and by the model where
there is one. 3. the model is asked how what rules take for new stands to what is known, in no transaction either. 4.
reconcile and apply: what is near by meaning is looked for, in no transaction; judged against what is believed at that
moment, written, decided and marked, a transaction an episode; those of which nothing follows are marked together.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.db import DataError

from backends.llms.base import LLM
from consolidation.models import Run
from consolidation.rules.candidate import Candidate, Extracted
from consolidation.rules.extract import extract
from consolidation.rules.ground_facts import crossed
from consolidation.rules.outcomes import outcome_of
from consolidation.rules.reading import FAULTS, Reading
from consolidation.rules.sayings.heard import forget_heard
from consolidation.services.apply import apply, apply_nothing
from consolidation.services.ask_judge import ask_judge
from consolidation.services.ask_model import ask_model
from consolidation.services.doubts import doubts
from consolidation.services.near import Nearness
from consolidation.services.near_of import near_of
from consolidation.services.runs import renew
from consolidation.services.select import Episode, select

log = logging.getLogger(__name__)

FAULT = "fault"
"""Why nothing follows from an episode on which a rule failed: it is read no more, and stops none after it."""


def consolidate(run: Run, *, llm: LLM | None = None, nearness: Nearness | None = None, now: datetime) -> int:
    """Consolidate the run's next episodes and return how many there were; 0 = all are done.

    llm: reads them as well as the rules do, where the site has one. nearness: looks for facts that say the same in
    other words; None: only slots and words are compared.

    Raises RunLost, when the run's lease has passed to another.
    """
    try:
        return _consolidated(run, llm=llm, nearness=nearness, now=now)
    finally:
        forget_heard()


def _consolidated(run: Run, *, llm: LLM | None, nearness: Nearness | None, now: datetime) -> int:
    renew(run, now=now)
    episodes = select(run)
    read = ask_model(run, episodes, llm, now=now)
    extracted = [(episode, _both(_extracted(episode), read.of(episode.turn_id).candidates)) for episode in episodes]
    if llm is not None:
        sure = [(episode, found.candidates) for episode, found in extracted if not found.suspect]
        read = replace(read, opinions=ask_judge(run, doubts(run, sure, nearness, now=now), llm, now=now))
    silent: list[tuple[Episode, str]] = []
    for episode, found in extracted:
        reading = read.of(episode.turn_id)
        if not (found.candidates or found.suspect or episode.quarantined or _tells_more(episode, reading)):
            silent.append((episode, found.why))
            continue
        try:
            near = {} if found.suspect else near_of(run, episode, found.candidates, nearness, now=now)
            apply(run, episode, found, read=read, near=near, now=now)
        except (*FAULTS, DataError):
            log.exception("consolidation: a rule failed on episode %s, which is passed over", episode.memory_id)
            silent.append((episode, FAULT))
    if silent:
        apply_nothing(run, silent, now=now)
    return len(episodes)


def _tells_more(episode: Episode, reading: Reading) -> bool:
    """Say whether something follows from an episode that is no fact."""
    return not reading.is_empty or outcome_of(episode.content) is not None


def _both(by_rules: Extracted, by_model: Sequence[Candidate]) -> Extracted:
    """Return what rules and model found, each checked by the other; of a turn that instructs no model is heard."""
    if not by_model or by_rules.suspect:
        return by_rules
    return Extracted(candidates=tuple(crossed(by_rules.candidates, by_model)))


def _extracted(episode: Episode) -> Extracted:
    """Return what an episode states; a fault of a rule costs that one episode its facts, and no other."""
    try:
        return extract(episode.content, said_at=episode.occurred_at, who=episode.who, answers=episode.answers)
    except FAULTS:
        log.exception("consolidation: a rule failed on episode %s", episode.memory_id)
        return Extracted(why=FAULT)
