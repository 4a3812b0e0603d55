"""Intent changes: storing, updating and forgetting, as far as it is clear which memory is meant."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import regex

from consolidation.rules.candidate import Candidate
from consolidation.rules.extract import extract
from consolidation.rules.intents.asked import Asked, Verb
from consolidation.rules.judge import judge
from consolidation.rules.judgement import Ruling
from consolidation.services.held import held_among
from consolidation.services.intent_acts import Doer
from consolidation.services.intent_matches import OFFERED_MAX, Matches, matches_of
from consolidation.services.write import new_of
from memories.instructions import instructs_reader
from memories.models import Memory
from memories.services.find_memory import find_memory

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
    for candidate in extracted.candidates:
        _judge_and_write(doer, candidate, asked, instead_of=instead_of)
    if extracted.candidates:
        return True
    if not asked.explicit:
        return None
    doer.note(_third_person(asked.statement), supersedes_id=instead_of.id if instead_of is not None else None)
    return True


def _judge_and_write(doer: Doer, candidate: Candidate, asked: Asked, *, instead_of: Memory | None) -> None:
    if asked.verb is Verb.UPDATE:
        candidate = replace(candidate, changes=True)
    held = held_among(Memory.objects.filter(subject_id=doer.subject_id), candidate, who="")
    judged = judge(candidate, held, said_at=doer.now)
    if judged.ruling is Ruling.REPEAT and judged.met is not None:
        doer.repeat(judged.met.id)
    elif judged.ruling is Ruling.FORGET and judged.met is not None:
        doer.forget(find_memory(doer.scope, judged.met.id))
    elif judged.ruling is not Ruling.DROP:
        new = new_of(candidate, judged, who="", said_at=doer.now)
        if instead_of is not None and new.supersedes_id is None and judged.ruling is Ruling.ADD:
            new = replace(new, supersedes_id=instead_of.id)
        doer.learn(new)


def _third_person(statement: str) -> str:
    for pattern, other in _MINE:
        statement = pattern.sub(other, statement)
    return statement
