"""Things: what a candidate speaks of by name, as an entity and how the person stands to it."""

from dataclasses import dataclass

import regex

from consolidation.rules.candidate import Candidate, Stance
from consolidation.rules.names import known_as
from consolidation.rules.values import key_of

PERSON, THING = "person", "thing"
_TYPES = {
    "lives_in": "place",
    "comes_from": "place",
    "born": "place",
    "studies_in": "place",
    "works_for": "organisation",
    "studies_at": "organisation",
    "banks_with": "organisation",
    "subscribes_to": "organisation",
    "volunteers": "organisation",
}
_NAMED = {
    "prefers",
    "uses",
    "has",
    "device",
    "drives",
    "likes",
    "dislikes",
    "supports",
    "buys",
    "shops_at",
    "ships_with",
}
_PROPER = regex.compile(r"^(?:[A-Z][\w.+&'-]*|\d[\w.]*)(?:\s+(?:[A-Z\d][\w.+&'-]*|of|the|and))*$")
_LEGAL = regex.compile(
    r"(?:[\s,]+(?:inc|incorporated|ltd|llc|llp|gmbh|corp|corporation|co|company|plc|ag|nv|bv|pty|limited)\.?)+$"
    r"|(?:股份有限公司|有限责任公司|有限公司|公司|集团|速运|速递|快递|物流)+$",
    regex.I,
)
NAME_MAX_LENGTH = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """An entity by name, and the predicate by which the person stands to it. aliases: other names it goes by."""

    name: str
    entity_type: str
    predicate: str
    aliases: tuple[str, ...] = ()


def thing_of(candidate: Candidate) -> Thing | None:
    """Return what a candidate speaks of by name; None, when it names nothing."""
    if candidate.stance in {Stance.NEVER, Stance.PAST, Stance.FORGET}:
        return None
    predicate = "rejects" if candidate.stance is Stance.LACKS else candidate.predicate
    known = known_as(candidate.value)
    if known is not None:
        return Thing(name=known.name, entity_type=known.entity_type, predicate=predicate, aliases=known.aliases)
    name = candidate.value.strip()
    if len(name) > NAME_MAX_LENGTH:
        return None
    if candidate.predicate in _TYPES and (not name.isascii() or name[:1].isupper()):
        return Thing(name=name, entity_type=_TYPES[candidate.predicate], predicate=predicate)
    if candidate.predicate in _NAMED and _PROPER.match(name):
        return Thing(name=name, entity_type=THING, predicate=predicate)
    return None


def plain_name(name: str) -> str:
    """Return a name as names are compared: letter case, articles and what companies put behind it aside."""
    return _LEGAL.sub("", key_of(name)) or key_of(name)
