"""Opinions: how a model says that statements stand to what is believed, and what may follow from it.

A model sees what no rule does, and may see what is not there. So its word closes only what the user's own words speak
against, and makes one of two statements only where they do not differ in a number, a name or a negation.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

import regex

from backends.llms.answers import Unreadable, object_in
from consolidation.rules.candidate import Candidate, Stance
from consolidation.rules.ground_steps import negates
from consolidation.rules.judge import related
from consolidation.rules.judgement import Held, Judgement, Ruling
from consolidation.rules.steps import words_of
from consolidation.rules.weight import if_newer, if_sure, if_trusted
from memories.trust import Trust


class Opinion(StrEnum):
    """How a new statement stands to a known one."""

    DUPLICATE = "duplicate"
    REFINEMENT = "refinement"
    NATURAL = "contradiction_natural"
    HARSH = "contradiction_harsh"
    UNRELATED = "unrelated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a model says of the statement that it was shown as id. ref: the known one it means; empty for none."""

    id: str
    opinion: Opinion
    ref: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What a model said of a candidate: its opinion, and the memory that it means."""

    opinion: Opinion
    met_id: UUID


Opinions = Mapping[tuple[UUID, Candidate], Judged]
"""By the turn and the candidate."""
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["verdicts"],
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["id", "verdict", "ref"],
                "properties": {
                    "id": {"type": "string"},
                    "verdict": {"type": "string", "enum": [one.value for one in Opinion]},
                    "ref": {"type": ["string", "null"]},
                },
            },
        }
    },
}


def verdicts_of(answer: str) -> dict[str, Verdict]:
    """Return the verdicts of a model's answer by id; of a statement judged in two ways, none. Raises Unreadable."""
    given = object_in(answer).get("verdicts")
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise Unreadable("it has no list of objects named verdicts")
    found: dict[str, set[Verdict]] = {}
    for one in given:
        pair, opinion, ref = one.get("id"), one.get("verdict"), one.get("ref")
        if isinstance(pair, str) and isinstance(opinion, str) and opinion in set(Opinion):
            verdict = Verdict(id=pair, opinion=Opinion(opinion), ref=ref if isinstance(ref, str) else "")
            found.setdefault(pair, set()).add(verdict)
    return {pair: verdicts.pop() for pair, verdicts in found.items() if len(verdicts) == 1}


def ruled(
    candidate: Candidate, met: Held, opinion: Opinion, *, said: str, said_at: datetime, trust: Trust
) -> Judgement | None:
    """Return what follows from a model's opinion of a candidate that the rules took for new; None: nothing.

    said: the turn's words. The four factors and trust weigh as they do for the rules.
    """
    if opinion is Opinion.DUPLICATE and _is_the_same(candidate, met):
        return if_sure(candidate, Judgement(ruling=Ruling.REPEAT, met=met, why="model_same"))
    if opinion is Opinion.REFINEMENT and _says_all_of(candidate, met):
        judged = if_newer(candidate, met, said_at, Ruling.REFINE, "model_refines")
    elif opinion is Opinion.NATURAL and _speaks_against(candidate, met, said):
        judged = if_newer(candidate, met, said_at, Ruling.SUPERSEDE, "model_contradicts")
    elif opinion is Opinion.HARSH and _is_of_its_sort(candidate, met) and _DENIES.search(said):
        judged = if_newer(candidate, met, said_at, Ruling.DENY, "model_denies")
    else:
        return None
    return if_trusted(if_sure(candidate, judged), trust)


_NUMBER = regex.compile(r"\d+(?:[.,:/-]\d+)*")
_NAME = regex.compile(r"(?<=[\p{L}\p{N}'][ ,-]+)\p{Lu}[\w-]+")
_WHO = frozenset({"user", "用户"})
_AGAINST = frozenset({"dislikes", "avoids", "rejects"})
_ONE_AT_A_TIME = frozenset(
    ["lives_in", "works_for", "works_as", "name", "age", "birthday", "status", "email", "phone", "address", "budget",
     "version"]
)  # fmt: skip
_CHANGES = regex.compile(
    r"\b(?:now|nowadays|these days|no longer|any ?more|instead|switch\w*|mov(?:ed|ing)|chang\w+|became|become|left|quit|stopp?\w*|"
    r"gave up|given up|sold|replac\w+|swapp?\w*|traded|upgrad\w+|actually|correction|not|never|\w+n't|used to|since (?:then|last|this)|from now on|lately|finally)\b|"
    r"现在|如今|不再|改|换|搬|戒|卖|以后|从今|已经|其实|不是|没|不",
    regex.I,
)
_DENIES = regex.compile(
    r"\b(?:never|not|wrong|mistak\w+|untrue|false|\w+n't)\b|从来没|从没|从未|不是|不对|错|没有过|并没|假的", regex.I
)


def _is_the_same(candidate: Candidate, met: Held) -> bool:
    one, other = candidate.text, met.text
    return (
        _is_comparable(candidate, met)
        and sorted(_NUMBER.findall(one)) == sorted(_NUMBER.findall(other))
        and _names(one) == _names(other)
    )


def _says_all_of(candidate: Candidate, met: Held) -> bool:
    one, other = candidate.text, met.text
    return (
        _is_comparable(candidate, met)
        and set(_NUMBER.findall(other)) <= set(_NUMBER.findall(one))
        and _names(other) <= _names(one)
        and len(one) > len(other)
    )


def _is_comparable(candidate: Candidate, met: Held) -> bool:
    """Say whether two statements mean to say the same of something that both name."""
    return (
        candidate.stance is met.stance
        and negates(candidate.text) is negates(met.text)
        and (candidate.predicate in _AGAINST) is (met.predicate in _AGAINST)
        and bool((words_of(candidate.text) & words_of(met.text)) - _WHO)
    )


def _names(text: str) -> frozenset[str]:
    return frozenset(name.casefold() for name in _NAME.findall(text))


def _is_of_its_sort(candidate: Candidate, met: Held) -> bool:
    """Say whether a statement is of the sort that can end another."""
    same_slot = candidate.slot is not None and candidate.slot == met.slot
    return met.stance is Stance.HOLDS and (same_slot or met.predicate in related(candidate.predicate))


def _speaks_against(candidate: Candidate, met: Held, said: str) -> bool:
    """Say whether a statement can end another: only one of the two can hold, or the words say that something changed."""
    alone = candidate.predicate in _ONE_AT_A_TIME and candidate.predicate == met.predicate
    return _is_of_its_sort(candidate, met) and (alone or candidate.changes or bool(_CHANGES.search(said)))
