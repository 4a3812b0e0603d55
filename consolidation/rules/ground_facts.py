"""Facts that a model found, as candidates: only where the user's own turn has their words."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import Any

import regex

from consolidation.rules.answer import Item
from consolidation.rules.candidate import SAYS, Candidate, Stance
from consolidation.rules.dates import days_in
from consolidation.rules.ground import MODEL_ALONE, NAME, Line, Lines, named, quoted, says_no_more, share_in, words_in
from consolidation.rules.names import canonical
from consolidation.rules.steps import words_of
from consolidation.rules.values import key_of

TEXT_MAX_LENGTH = 400
BOTH = 0.97
"""How sure a fact is that rules and model found."""
CATEGORIES = frozenset(
    ["family", "health", "home", "leisure", "money", "person", "plan", "possession", "preference", "progress",
     "support", "work"]
)  # fmt: skip
TTL_DAYS_MAX = 3_650
OWN_WORDS = 0.4
"""Which part of a fact's words must stand in its turns. Set by us: a model says "has bad knees" of knees that are shot."""
_WHO = frozenset({"user", "用户"})
_PASSING = regex.compile(
    r"\b(?:until|till|through|today|tonight|tomorrow|this (?:week|month|year|summer|winter|spring|autumn|fall|semester|weekend)|"
    r"next (?:week|month|year|few)|for (?:now|the (?:moment|time being|next)|a (?:few|couple|while|week|month|year)|\d+|one|two|three|four|six)|"
    r"temporar\w+|at the moment|currently|right now|days?|weeks?|months?)\b|暂时|临时|目前|现在|今[天年晚]|明[天年]|这[周个]|本[周月]|下[周个]|为止|之前|期间|\d+[天周月]",
    regex.I,
)
"""What says that something holds for a time."""


def facts_in(items: Sequence[Item], lines: Lines, *, rule: str) -> Iterator[tuple[str, Candidate]]:
    """Yield each fact that stands in its turn's own words, with the turn's id; the others are dropped.

    The quote stands in the first of the turns it names, names and numbers in any of them. What others said, and
    what is quoted or pasted, ground nothing.
    """
    for item in items:
        ids = named(item, lines, fresh=True)
        if ids:
            together = "\n".join(lines[one].content for one in ids)
            candidate = _candidate(item, lines[ids[0]], together, rule)
            if candidate is not None:
                yield ids[0], candidate


def _candidate(item: Item, line: Line, together: str, rule: str) -> Candidate | None:
    text = words_in(item.get("text"), longest=TEXT_MAX_LENGTH)
    predicate, value, stance = (
        words_in(item.get(name), longest=TEXT_MAX_LENGTH) for name in ("predicate", "value", "stance")
    )
    span, confidence = quoted(item.get("quote"), line.content), share_in(item.get("confidence"))
    if not (text and value and span) or confidence is None:
        return None
    if not NAME.fullmatch(predicate) or stance not in set(Stance):
        return None
    quote = line.content[slice(*span)]
    if value.casefold() not in " ".join(quote.split()).casefold():
        return None
    if not says_no_more(text, together) or not _is_worded(text, together):
        return None
    slot, category, importance = item.get("slot"), item.get("category"), share_in(item.get("importance"))
    candidate = Candidate(
        text=text,
        predicate=predicate,
        value=value,
        key=canonical(value) or key_of(value),
        rule=rule,
        start=span[0],
        end=span[1],
        stance=Stance(stance),
        slot=slot if isinstance(slot, str) and NAME.fullmatch(slot) else None,
        confidence=min(confidence, MODEL_ALONE),
    )
    return replace(
        candidate,
        category=category if isinstance(category, str) and category in CATEGORIES else "",
        importance=importance if importance is not None else candidate.importance,
        ttl_days=_ttl_days(item.get("ttl_days"), quote),
        **_period(item, line, together),
    )


def _is_worded(text: str, together: str) -> bool:
    """Say whether a sentence about the user is in words of the turns; of a Chinese one, whether any is."""
    words, said = words_of(text) - _WHO, words_of(together)
    if not words:
        return True
    own = len(words & said) / len(words)
    return own > 0 if regex.search(r"\p{Han}", text) else own >= OWN_WORDS


def _ttl_days(value: object, quote: str) -> int | None:
    """Return for how many days a fact holds, where its words say that it passes."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= TTL_DAYS_MAX:
        return None
    return value if _PASSING.search(quote) else None


def _period(item: Item, line: Line, together: str) -> dict[str, Any]:
    """Return since and until when a fact holds, where the words name these days; a day nobody named is left out."""
    days = days_in(together, line.said_at)
    start, end = _day(item.get("valid_from"), days), _day(item.get("valid_to"), days)
    if start is not None and start > line.said_at:
        start = None
    if end is not None and end <= (start or line.said_at):
        end = None
    return {"valid_from": start, "valid_to": end}


def _day(value: object, days: frozenset[date]) -> datetime | None:
    try:
        day = date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return datetime.combine(day, time.min, UTC) if day is not None and day in days else None


def crossed(by_rules: Sequence[Candidate], by_model: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates of both: what both found is surer, what one found stays as sure as that one is.

    A sentence that no rule read is not kept as it was said where the model read it.
    """
    read = [one for one in by_rules if one.predicate != SAYS or not any(_overlap(one, other) for other in by_model)]
    kept: list[Candidate] = []
    for candidate in read:
        sure = candidate.confidence >= MODEL_ALONE and any(_same(candidate, one) for one in by_model)
        kept.append(replace(candidate, confidence=BOTH) if sure else candidate)
    return kept + [one for one in by_model if not any(_same(candidate, one) for candidate in read)]


def _overlap(one: Candidate, other: Candidate) -> bool:
    return one.start < other.end and other.start < one.end


def _same(one: Candidate, other: Candidate) -> bool:
    return _overlap(one, other) and (one.key == other.key or one.key in other.key or other.key in one.key)
