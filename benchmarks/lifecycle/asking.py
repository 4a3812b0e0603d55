"""Asking the questions, and judging every hit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks.lifecycle.oracle import Verdict, judge
from benchmarks.lifecycle.stories import Ask, Stories
from benchmarks.lifecycle.telling import Written
from memory_site.demo.client import Api, Hit, Recalled

TOP_K = 10
WARM_UP = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """One question's outcome. ranks: of each gold; twins, which say the same letter by letter, count as one.

    wrong: what should not be there, each with why: foreign, or a verdict of the oracle.
    denied: whether the answer says that nothing matches, by being empty or by its `match`.
    """

    ask: Ask
    ranks: tuple[int | None, ...]
    wrong: tuple[tuple[str, str], ...]
    denied: bool
    match: str
    reason: str | None
    degraded: tuple[str, ...]
    ms: float

    @property
    def agrees(self) -> bool:
        """Whether it is what the oracle says: all the gold, and no fact that may not be there."""
        return not self.wrong and all(rank is not None for rank in self.ranks)


def ask_all(
    api: Api, stories: Stories, written: Written, *, extra: Mapping[str, Any] | None = None
) -> list[Answered]:
    """Ask every question; extra: more fields of the request. Raises ApiFailed."""
    for ask in stories.asks[:WARM_UP]:
        api.recall(_question(ask, written, now=datetime.now(UTC)))
    return [_ask(api, stories, written, ask, extra or {}) for ask in stories.asks]


def _ask(api: Api, stories: Stories, written: Written, ask: Ask, extra: Mapping[str, Any]) -> Answered:
    now = datetime.now(UTC)
    answer = api.recall({**_question(ask, written, now=now), **extra})
    return Answered(
        ask=ask,
        ranks=tuple(rank_of(written.texts[gold], answer.hits) for gold in ask.gold),
        wrong=tuple(
            (hit.text, why)
            for hit in answer.hits
            if (why := fault_of(hit, stories, written, ask, now=now)) is not None
        ),
        denied=denies(answer),
        match=answer.match,
        reason=answer.reason,
        degraded=answer.degraded,
        ms=answer.client_ms,
    )


def rank_of(text: str, hits: Sequence[Hit]) -> int | None:
    """Return the rank of the first hit that says this; a text counts once, however many say it."""
    different = list(dict.fromkeys(hit.text for hit in hits))
    return different.index(text) + 1 if text in different else None


def fault_of(hit: Hit, stories: Stories, written: Written, ask: Ask, *, now: datetime) -> str | None:
    """Return why a hit may not be there, or None."""
    if hit.user_id not in (None, ask.user):
        return "foreign"
    ours = written.facts.get(hit.memory_id)
    if ours is None:
        return None
    verdict = judge(stories, stories.fact[ours], ask, written_at=written.written_at[ours], now=now)
    return None if verdict is Verdict.MAY else verdict.value


def denies(answer: Recalled) -> bool:
    """Say whether an answer says that nothing matches."""
    return not answer.hits or answer.match == "none"


def _question(ask: Ask, written: Written, *, now: datetime) -> dict[str, Any]:
    question: dict[str, Any] = {"user_id": ask.user, "query": ask.text, "top_k": TOP_K}
    if ask.include_superseded:
        question["include_superseded"] = True
    if ask.as_of is not None:
        question["as_of"] = written.moments[ask.as_of].isoformat()
    valid_at = now + timedelta(days=ask.valid_in_days) if ask.valid_in_days is not None else ask.valid_at
    if valid_at is not None:
        question["valid_at"] = valid_at.isoformat()
    return question
