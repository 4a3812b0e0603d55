"""Decide: the decision on something found in an episode, with the review that it asks for."""

from datetime import datetime
from uuid import UUID

from consolidation.models import Decision, Run
from consolidation.services.open_review import open_review
from consolidation.services.runs import scope_of
from consolidation.services.select import Episode
from consolidation.services.write import Written


def decide(
    run: Run,
    episode: Episode,
    written: Written,
    *,
    now: datetime,
    rule: str = "",
    start: int | None = None,
    end: int | None = None,
    confidence: float | None = None,
    relation_id: UUID | None = None,
) -> Decision:
    """Return the decision to note; a review is opened where it asks for one."""
    if written.review is not None:
        ask_about_episode(run, episode, written, now=now)
    return Decision(
        tenant_id=run.tenant_id,
        subject_id=run.subject_id,
        compartments=run.compartments,
        run=run,
        episode_id=episode.memory_id,
        turn_id=episode.turn_id,
        verdict=written.verdict,
        why=written.why,
        rule=rule,
        start=start,
        end=end,
        confidence=confidence,
        memory_id=written.memory_id,
        met_id=written.met_id,
        relation_id=relation_id,
        decided_at=now,
    )


def ask_about_episode(run: Run, episode: Episode, written: Written, *, now: datetime) -> None:
    """Open the review that something asks for. The scope is open."""
    if written.review is None:
        return
    open_review(
        scope_of(run),
        run,
        written.review,
        memory_id=written.memory_id,
        met_id=written.met_id,
        turn_id=episode.turn_id,
        now=now,
    )
