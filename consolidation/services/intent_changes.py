"""Intent changes: storing, updating and forgetting, as far as it is clear which memory is meant."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import regex

from consolidation.rules.candidate import SAYS, Candidate
from consolidation.rules.extract import extract
from consolidation.rules.intents.asked import Asked, Verb
from consolidation.rules.judge import judge
from consolidation.rules.judgement import Ruling
from consolidation.rules.sayings.topic import topic
from consolidation.services.held import held_among, held_of
from consolidation.services.intent_acts import Doer
from consolidation.services.intent_matches import OFFERED_MAX, Matches, matches_of
from consolidation.services.write import new_of
from memories.instructions import instructs_reader
from memories.models import Memory
from memories.services.find_memory import find_memory

_ORDERED = 0.85
"""How sure a sentence is that only an order to remember keeps. Set by us."""
_MINE = ((regex.compile(r"^(?:my|our)\s+", regex.I), "The user's "), (regex.compile(r"^(?:我们|我)的"), "用户的"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Nothing was done. offered: what could be meant; empty = nothing is known of it. exact: all match the words."""

    offered: Sequence[Memory] = ()
    exact: bool = False


def carry_out(doer: Doer, asked: Asked, *, memory_id: UUID | None, confirm: bool) -> Ask | bool | None:
    """Do what is asked. The user's scope is open.

    Returns Ask, where it is not clear which memory is meant, or there is none; None, where no rule takes the
    statement apart and nobody said that it shall be remembered; else True.
    """
    if asked.verb is Verb.FORGET:
        return _forget(doer, asked.about, memory_id=memory_id, confirm=confirm)
    if asked.verb is Verb.UPDATE and asked.retracts:
        left = _forget(doer, asked.about, memory_id=memory_id, confirm=False)
        if isinstance(left, Ask) and left.offered:
            return left
        return _store(doer, asked, instead_of=None)
    if asked.verb is Verb.UPDATE:
        return _update(doer, asked, memory_id=memory_id)
    return _store(doer, asked, instead_of=None)


def _forget(doer: Doer, about: str, *, memory_id: UUID | None, confirm: bool) -> Ask | bool:
    meant = _meant(doer, about, memory_id)
    if len(meant.exact) > 1 and not confirm:
        return Ask(offered=meant.exact[:OFFERED_MAX], exact=True)
    if not meant.exact or len(meant.exact) > OFFERED_MAX:
        return Ask(offered=meant.near or meant.exact[:OFFERED_MAX], exact=bool(meant.exact))
    for memory in meant.exact:
        doer.forget(memory)
    return True


def _update(doer: Doer, asked: Asked, *, memory_id: UUID | None) -> Ask | bool | None:
    """Put what is said now in the place of the one memory that is meant; where there is none, it is new."""
    meant = _meant(doer, asked.about, memory_id)
    if len(meant.exact) > 1:
        return Ask(offered=meant.exact[:OFFERED_MAX], exact=True)
    return _store(doer, asked, instead_of=meant.exact[0] if meant.exact else None)


def _meant(doer: Doer, about: str, memory_id: UUID | None) -> Matches:
    if memory_id is None:
        return matches_of(doer.subject_id, about, now=doer.now)
    return Matches(exact=[find_memory(doer.scope, memory_id)])


def _store(doer: Doer, asked: Asked, *, instead_of: Memory | None) -> bool | None:
    """Believe a statement: what the rules take apart is judged as in consolidation; else it is kept as said."""
    extracted = extract(asked.statement, said_at=doer.now)
    if extracted.suspect or instructs_reader(asked.statement):
        doer.note(asked.statement, suspect=True)
        return True
    if extracted.candidates and _judged_and_written(doer, extracted.candidates, asked, instead_of=instead_of):
        return True
    if not asked.explicit:
        return True if extracted.candidates else None
    doer.note(_third_person(asked.statement), supersedes_id=instead_of.id if instead_of is not None else None)
    return True


def _judged_and_written(
    doer: Doer, candidates: Sequence[Candidate], asked: Asked, *, instead_of: Memory | None
) -> bool:
    """Judge each and write it; say whether anything but what only an order to remember would have kept was found.

    instead_of: gives way to the one candidate that is about it, and to no other.
    """
    place = _in_place_of(instead_of, candidates, asked) if asked.verb is Verb.UPDATE else None
    unmet = []
    for candidate in sorted(candidates, key=lambda one: one is not place):  # while what is meant is there
        replaced = instead_of if candidate is place else None
        one = replace(candidate, changes=True) if candidate is place else candidate
        if not _judge_and_write(doer, one, instead_of=replaced):
            unmet.append(candidate)
    if len(unmet) == len(candidates):
        return False
    for candidate in unmet if asked.explicit else ():
        _judge_and_write(doer, replace(candidate, only_if_met=False, confidence=_ORDERED), instead_of=None)
    return True


def _in_place_of(memory: Memory | None, candidates: Sequence[Candidate], asked: Asked) -> Candidate:
    """Return the candidate that an update is about: by slot or kind, by the words it was named by, or the first."""
    named = topic(asked.about)
    if memory is not None:
        for candidate in candidates:
            same_kind = candidate.predicate == memory.predicate and memory.predicate not in ("", SAYS)
            if same_kind or (candidate.slot is not None and candidate.slot == memory.slot):
                return candidate
    return max(candidates, key=lambda candidate: len(named & topic(candidate.text)))


def _judge_and_write(doer: Doer, candidate: Candidate, *, instead_of: Memory | None) -> bool:
    """Do what is judged; False, where the candidate would change what is known, and nothing like it is."""
    held = held_among(Memory.objects.filter(subject_id=doer.subject_id), candidate, who="")
    if candidate.predicate == SAYS:  # what a rule read of the same words is no other statement
        held = [one for one in held if one.id not in {act.row for act in doer.acts}]
    judged = judge(candidate, held, said_at=doer.now)
    if judged.ruling is Ruling.REPEAT and judged.met is not None:
        doer.repeat(judged.met.id)
    elif judged.ruling is Ruling.FORGET and judged.met is not None:
        doer.forget(find_memory(doer.scope, judged.met.id))
    elif judged.ruling is not Ruling.DROP:
        new = new_of(candidate, judged, who="", said_at=doer.now)
        if instead_of is not None and new.supersedes_id is None and judged.ruling is Ruling.ADD:
            new = replace(new, supersedes_id=instead_of.id)
            judged = replace(judged, ruling=Ruling.SUPERSEDE, met=held_of(instead_of, None, (), who=""))
        doer.learn(new, candidate=candidate, judged=judged)
    return not (judged.ruling is Ruling.DROP and candidate.only_if_met)


def _third_person(statement: str) -> str:
    for pattern, other in _MINE:
        statement = pattern.sub(other, statement)
    return statement
