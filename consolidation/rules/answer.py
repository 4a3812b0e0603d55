"""Answer: what a model is asked for about a batch of turns, in one call, and how its answer is read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backends.llms.answers import Unreadable, object_in
from consolidation.rules.candidate import Stance

FACTS_MAX, ITEMS_MAX = 200, 50
"""Of the facts, and of each other part of an answer; more is no answer about 50 turns."""
Item = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The parts of an answer as they were given; nothing of them is believed yet."""

    facts: Sequence[Item] = ()
    playbooks: Sequence[Item] = ()
    updates: Sequence[Item] = ()
    entities: Sequence[Item] = ()
    relations: Sequence[Item] = ()


def answer_of(text: str) -> Answer:
    """Return a model's answer. Raises Unreadable, saying why, where it has no list of facts.

    Another part that is none costs itself alone.
    """
    read = object_in(text)
    facts = read.get("facts")
    if not isinstance(facts, list) or not all(isinstance(fact, dict) for fact in facts):
        raise Unreadable("it has no list of objects named facts")
    return Answer(
        facts=facts[:FACTS_MAX],
        playbooks=_items(read.get("playbooks")),
        updates=_items(read.get("playbook_updates")),
        entities=_items(read.get("entities")),
        relations=_items(read.get("relations")),
    )


def _items(part: object) -> Sequence[Item]:
    return [item for item in part if isinstance(item, dict)][:ITEMS_MAX] if isinstance(part, list) else ()


def _list(**properties: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema of a list of objects that have all of some properties and no other."""
    named = {"supporting_episode_ids": _TEXTS, **properties}
    items = {"type": "object", "additionalProperties": False, "required": [*named], "properties": named}
    return {"type": "array", "items": items}


_TEXT: Mapping[str, Any] = {"type": "string"}
_TEXT_OR_NONE: Mapping[str, Any] = {"type": ["string", "null"]}
_TEXTS: Mapping[str, Any] = {"type": "array", "items": _TEXT}
_PARTS: Mapping[str, Any] = {
    "facts": _list(
        quote=_TEXT,
        text=_TEXT,
        predicate=_TEXT,
        value=_TEXT,
        stance={"type": "string", "enum": [stance.value for stance in Stance]},
        slot=_TEXT_OR_NONE,
        category=_TEXT,
        confidence={"type": "number"},
        importance={"type": "number"},
        valid_from=_TEXT_OR_NONE,
        valid_to=_TEXT_OR_NONE,
        ttl_days={"type": ["integer", "null"]},
    ),
    "playbooks": _list(
        trigger=_TEXT, steps=_TEXTS, told_as={"type": "string", "enum": ["worked", "own"]}, quote=_TEXT
    ),
    "playbook_updates": _list(
        playbook=_TEXT,
        outcome={"type": ["string", "null"], "enum": ["success", "failure", None]},
        quote=_TEXT,
        refined_steps={"type": ["array", "null"], "items": _TEXT},
    ),
    "entities": _list(name=_TEXT, type=_TEXT, aliases=_TEXTS),
    "relations": _list(subject=_TEXT, predicate=_TEXT, object=_TEXT, quote=_TEXT),
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": [*_PARTS],
    "properties": _PARTS,
}
