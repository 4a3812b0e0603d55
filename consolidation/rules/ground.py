"""Ground: what a model claims to have read is kept only where the turn has its words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import regex

from backends.llms.answers import Unreadable, object_in
from consolidation.rules.candidate import SAYS, Candidate, Stance
from consolidation.rules.masks import MASK, masked
from consolidation.rules.names import canonical
from consolidation.rules.values import key_of
from memories.instructions import instructs

FACTS_MAX = 200
TEXT_MAX_LENGTH = 400
NAME = regex.compile(r"[a-z][a-z0-9_ ]{0,59}")
MODEL_ALONE = 0.85
"""How sure a fact is at most that a model found and no rule. Source: seed S4, 2.3 (85% of what models extract holds)."""
BOTH = 0.97
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["facts"],
    "properties": {
        "facts": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": [
                    "supporting_episode_ids",
                    "quote",
                    "text",
                    "predicate",
                    "value",
                    "stance",
                    "slot",
                    "confidence",
                ],
                "properties": {
                    "supporting_episode_ids": {"type": "array", "items": {"type": "string"}},
                    "quote": {"type": "string"},
                    "text": {"type": "string"},
                    "predicate": {"type": "string"},
                    "value": {"type": "string"},
                    "stance": {"type": "string", "enum": [stance.value for stance in Stance]},
                    "slot": {"type": ["string", "null"]},
                    "confidence": {"type": "number"},
                },
            },
        }
    },
}


def facts_of(answer: str) -> list[Mapping[str, Any]]:
    """Return the facts of a model's answer. Raises Unreadable, saying why."""
    facts = object_in(answer).get("facts")
    if not isinstance(facts, list) or not all(isinstance(fact, dict) for fact in facts):
        raise Unreadable("it has no list of objects named facts")
    return facts[:FACTS_MAX]


def grounded(
    facts: Sequence[Mapping[str, Any]], turns: Mapping[str, tuple[str, datetime]], *, rule: str
) -> Iterator[tuple[str, Candidate]]:
    """Yield each fact that stands in its turn's own words, with the turn's id; the others are dropped.

    The quote stands in the first of the turns it names, names and numbers in any of them.
    turns: content and time by id. A turn that instructs the memory, and what is quoted or pasted in one, ground nothing.
    """
    for fact in facts:
        ids = fact.get("supporting_episode_ids")
        if not isinstance(ids, list) or not ids or not all(isinstance(one, str) and one in turns for one in ids):
            continue
        content, _ = turns[ids[0]]
        together = "\n".join(turns[one][0] for one in ids)
        candidate = None if instructs(together) else _candidate(fact, content, together, rule)
        if candidate is not None:
            yield ids[0], candidate


def _candidate(fact: Mapping[str, Any], content: str, together: str, rule: str) -> Candidate | None:
    words = {name: fact.get(name) for name in ("quote", "text", "predicate", "value", "stance")}
    if not all(isinstance(word, str) and word.strip() for word in words.values()):
        return None
    quote, text, value = (
        str(words["quote"]).strip(),
        " ".join(str(words["text"]).split()),
        str(words["value"]).strip(),
    )
    start = content.find(quote)
    confidence, slot = fact.get("confidence"), fact.get("slot")
    if start < 0 or MASK in masked(content)[start : start + len(quote)] or len(text) > TEXT_MAX_LENGTH:
        return None
    if not NAME.fullmatch(str(words["predicate"])) or str(words["stance"]) not in set(Stance):
        return None
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
        return None
    if value.casefold() not in quote.casefold() or not says_no_more(text, together):
        return None
    return Candidate(
        text=text,
        predicate=str(words["predicate"]),
        value=value,
        key=canonical(value) or key_of(value),
        rule=rule,
        start=start,
        end=start + len(quote),
        stance=Stance(str(words["stance"])),
        slot=slot if isinstance(slot, str) and NAME.fullmatch(slot) else None,
        confidence=min(float(confidence), MODEL_ALONE),
    )


_NAME_OR_NUMBER = regex.compile(r"\d[\d.,:/-]*\d|\d|(?<=[\p{L}\p{N}][ ,])[A-Z][\w-]+")


def says_no_more(text: str, content: str) -> bool:
    """Say whether every number and name of a text stands in the turn."""
    said = content.casefold()
    return all(word.casefold().strip(".,") in said for word in _NAME_OR_NUMBER.findall(text))


def crossed(by_rules: Sequence[Candidate], by_model: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates of both: what both found is surer, what one found stays as sure as that one is.

    A sentence that no rule read is not kept as it was said where the model read it.
    """
    kept: list[Candidate] = []
    for candidate in by_rules:
        if candidate.predicate == SAYS and any(_overlap(candidate, one) for one in by_model):
            continue
        sure = candidate.confidence >= MODEL_ALONE and any(_same(candidate, one) for one in by_model)
        kept.append(replace(candidate, confidence=BOTH) if sure else candidate)
    return kept + [one for one in by_model if not any(_same(candidate, one) for candidate in by_rules)]


def _overlap(one: Candidate, other: Candidate) -> bool:
    return one.start < other.end and other.start < one.end


def _same(one: Candidate, other: Candidate) -> bool:
    return _overlap(one, other) and (one.key == other.key or one.key in other.key or other.key in one.key)
