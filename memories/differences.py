"""What is different between two answers to one question, and why, in words."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memories.ranking import BEYOND, COPY, NOT_CONFIRMED, REPEAT, TOO_LOW, Outcome, Placed
from tenants.policy import KEYS, Policy
from tenants.policy_key import Value

PARTS: Mapping[str, str] = {
    "lexical": "its words",
    "dense": "its meaning",
    "semantic": "its meaning to the search engine's own model",
    "late": "its words compared one by one",
    "rerank": "the reranker",
    "own": "being said by the participant asked about",
    "graph": "being about what the question names",
    "session": "its conversation",
    "rare": "having what hardly any other memory has",
    "rewrite": "another wording of the question",
}
WEIGHTS: Mapping[str, str] = {
    "age": "its age",
    "use": "having been recalled before",
    "confidence": "how sure it is",
    "authority": "where it comes from",
    "importance": "how important it is",
    "outcomes": "how it worked before",
    "period": "lying in the time that the question names",
    "kind": "being the kind of memory that suits the question",
}
DROPPED: Mapping[str, str] = {
    NOT_CONFIRMED: "is closed, expired or gone",
    COPY: "is another version of a row that is placed better",
    REPEAT: "says the same as a memory that is placed better",
    TOO_LOW: "scores below the threshold",
    BEYOND: "comes after the last place of the answer",
}
"""What each part, weight and reason is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One memory whose place differs. before, after: its places, from 1; None: not in the answer."""

    id: UUID
    kind: str
    before: int | None
    after: int | None
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A key of the policy that differs."""

    name: str
    before: Value
    after: Value
    words: str


def moves(before: Outcome, after: Outcome) -> list[Move]:
    """Return the memories whose places differ, in the order of the later answer, then of the earlier one."""
    old, new = _places(before), _places(after)
    known = {one.id: one for one in _all(before)}
    later = {one.id: one for one in _all(after)}
    changed = [object_id for object_id in dict.fromkeys([*new, *old]) if new.get(object_id) != old.get(object_id)]
    return [
        Move(
            id=object_id,
            kind=(later.get(object_id) or known[object_id]).ranked.candidate.kind,
            before=old.get(object_id),
            after=new.get(object_id),
            words=_why(object_id, after, known, later),
        )
        for object_id in changed
    ]


def settings(before: Policy, after: Policy) -> list[Setting]:
    """Return the keys that differ between two versions of the policy."""
    return [
        Setting(
            name=name,
            before=held,
            after=after[name],
            words=f"{name} went from {held} to {after[name]}: {KEYS[name].sentence}",
        )
        for name, held in before.values()
        if held != after[name]
    ]


def _why(object_id: UUID, after: Outcome, known: Mapping[UUID, Placed], later: Mapping[UUID, Placed]) -> str:
    if object_id not in later:
        return "It is no longer among the candidates."
    if object_id not in known:
        return "It was not among the candidates before."
    reasons = {one.id: reason for one, reason in after.dropped}
    words = list(_shifts(known[object_id], later[object_id]))
    if object_id in reasons and reasons[object_id] != BEYOND:
        words.insert(0, f"It {DROPPED[reasons[object_id]]} now.")
    return " ".join(words) or "Others moved past it."


def _shifts(before: Placed, after: Placed) -> Iterator[str]:
    """Yield what changed of one memory, the largest change first."""
    old, new = _contributions(before), _contributions(after)
    shifts = {name: new.get(name, 0.0) - old.get(name, 0.0) for name in old.keys() | new.keys()}
    for name, shift in sorted(shifts.items(), key=lambda item: (-abs(item[1]), item[0])):
        if abs(shift) >= SHIFT_MIN:
            what = PARTS.get(name) or WEIGHTS[name]
            was, now = old.get(name, 0.0), new.get(name, 0.0)
            yield f"{what[0].upper()}{what[1:]} counts {shift:+.3f} ({was:.3f} before, {now:.3f} now)."


SHIFT_MIN = 0.0005
"""A smaller change than can be read is not told."""


def _contributions(one: Placed) -> dict[str, float]:
    """Return what each part and weight adds to the total."""
    return {**one.ranked.parts, **{name: math.log(weight) for name, weight in one.weights.items()}}


def _places(outcome: Outcome) -> dict[UUID, int]:
    return {one.id: number for number, (one, _) in enumerate(outcome.chosen, start=1)}


def _all(outcome: Outcome) -> Sequence[Placed]:
    return [*(one for one, _ in outcome.chosen), *(one for one, _ in outcome.dropped)]
