"""Doubts: the candidates of a pass that rules take for new, though something near is believed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from consolidation.models import Run
from consolidation.rules.candidate import Candidate
from consolidation.rules.judge import judge
from consolidation.rules.judgement import Held, Ruling
from consolidation.rules.reading import FAULTS
from consolidation.rules.steps import words_of
from consolidation.services.held import held_for, nearby
from consolidation.services.near import Near, Nearness
from consolidation.services.near_of import near_of
from consolidation.services.runs import scope_of
from consolidation.services.select import Episode
from tenants.services.open_scope import open_scope

NEAR_MAX, DOUBTS_MAX = 8, 60
"""Facts that a model is shown with one statement, and statements of one pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A candidate of an episode, and the facts that it may say again, say better or contradict."""

    episode: Episode
    candidate: Candidate
    near: tuple[Held, ...]

    @property
    def key(self) -> tuple[UUID, Candidate]:
        """Return by what its opinion is found."""
        return self.episode.turn_id, self.candidate


def doubts(
    run: Run,
    found: Sequence[tuple[Episode, Sequence[Candidate]]],
    nearness: Nearness | None = None,
    *,
    now: datetime,
) -> list[Doubt]:
    """Return the doubts about what was found in some episodes. No scope may be open.

    nearness: looks for facts that are near by meaning; None: only those of the same sort are near.
    """
    close = [near_of(run, episode, candidates, nearness, now=now) for episode, candidates in found]
    with open_scope(scope_of(run)):
        everything = [
            _doubt(run, episode, candidate, near.get(candidate, ()))
            for (episode, candidates), near in zip(found, close, strict=True)
            for candidate in candidates
        ]
    return [one for one in everything if one is not None][:DOUBTS_MAX]


def _doubt(run: Run, episode: Episode, candidate: Candidate, near: Sequence[Near]) -> Doubt | None:
    held, close = (
        held_for(run, candidate, who=episode.who, turn_id=episode.turn_id),
        nearby(run, near, who=episode.who),
    )
    try:
        judged = judge(candidate, held, near=close, said_at=episode.occurred_at, trust=episode.trust)
    except FAULTS:
        return None  # told where it is applied, which fails as this does
    if judged.ruling is not Ruling.ADD:
        return None
    said = words_of(candidate.text)
    by_words = sorted(held, key=lambda one: -len(said & words_of(one.text)))
    by_meaning = [one.held for one in sorted(close, key=lambda one: -one.cosine)][: NEAR_MAX // 2]
    nearest = {one.id: one for one in (*by_meaning, *by_words)}
    shown = tuple(list(nearest.values())[:NEAR_MAX])
    return Doubt(episode=episode, candidate=candidate, near=shown) if shown else None
