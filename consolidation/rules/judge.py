"""Judge: what a candidate means for what is believed already; by slot, value, stance, time and weight.

Two values are the same only when they are equal once letter case, articles and known aliases are aside, or where every
word of both statements has its counterpart: what differs in a number, a unit, a date, a name or a negation is never merged.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import regex

from consolidation.rules.candidate import ENDS, LEFT, SAYS, Candidate, Stance
from consolidation.rules.judgement import Held, Judgement, Nearby, Ruling
from consolidation.rules.likeness import describes, head_of, later_version, names_shortly, tells
from consolidation.rules.meaning import same_meaning
from consolidation.rules.sayings.judged import meets_saying
from consolidation.rules.weight import if_newer, if_sure, if_trusted
from memories.trust import Trust

Rule = Callable[[Candidate, Sequence[Held], datetime], Judgement | None]
_TASTE_FOR, _TASTE_AGAINST = {"likes", "prefers", "drinks", "eats", "uses", "buys"}, {"dislikes", "avoids"}
_CHOICE = {"prefers", "uses", "likes", "drinks", "eats", "drives", "has", "device", "buys", "version"}
_WIDER: Mapping[str, set[str]] = {
    ENDS: _TASTE_FOR | _TASTE_AGAINST | _CHOICE | {"does", "plays", "studies", "takes", "rides", "wears", "smokes", "subscribes_to", "commutes"},
    "does": _TASTE_FOR | {"plays", "studies", "smokes", "takes"},
    LEFT: {"lives_in", "works_for", "works_in", "studies_at", "studies_in", "belongs_to", "volunteers"},
}  # fmt: skip
"""What a statement can end that does not say what it was to the person: "I've left Arup", "no more tea for me"."""
_CUES = {"lives_in": r"\bliv(?:es?|ing)\b|\bbased\b|住", "works_for": r"\bwork(?:s|ing)?\b|\bemployed\b|工作|上班"}


def related(predicate: str) -> frozenset[str]:
    """Return the predicates under which a candidate can meet what is believed."""
    if predicate in _WIDER:
        return frozenset(_WIDER[predicate] | {predicate})
    group = _TASTE_FOR | _TASTE_AGAINST | _CHOICE
    return frozenset(group if predicate in group else {predicate})


def judge(
    candidate: Candidate,
    held: Sequence[Held],
    *,
    near: Sequence[Nearby] = (),
    said_at: datetime,
    trust: Trust = Trust.USER,
) -> Judgement:
    """Return what a candidate means for the active memories it can meet. said_at: when it was said, in the world.

    near: facts that are near to it by meaning; such a one may be said once more, and is never closed for it.
    trust: of the turn. Nothing gives way to what is trusted less.
    """
    named = (
        held
        if candidate.predicate == SAYS
        else [one for one in held if one.predicate != SAYS or _names(one, candidate)]
    )
    judged = _first(_EXACT, candidate, named, said_at) or same_meaning(candidate, near)
    judged = judged or _first(_CHANGING, candidate, named, said_at) or meets_saying(candidate, held, said_at)
    if judged is not None:
        return if_trusted(if_sure(candidate, judged), trust)
    if candidate.only_if_met:
        return Judgement(ruling=Ruling.DROP, why="unknown")
    return if_sure(candidate, Judgement(ruling=Ruling.ADD, why="new"))


def _first(rules: Sequence[Rule], candidate: Candidate, held: Sequence[Held], said_at: datetime) -> Judgement | None:
    return next((judged for rule in rules if (judged := rule(candidate, held, said_at)) is not None), None)


def _names(one: Held, candidate: Candidate) -> bool:
    """Say whether a saying has the very words that a rule read."""
    words = (candidate.value, candidate.replaces)
    return any(len(word) > 1 and word.casefold() in one.text.casefold() for word in words)


def _forgotten(candidate: Candidate, held: Sequence[Held], said_at: datetime) -> Judgement | None:
    """Meet what shall no longer be remembered."""
    if candidate.stance is not Stance.FORGET:
        return None
    for one in held:
        if one.stance is Stance.HOLDS and _is_about(one, candidate) and _TASTE_AGAINST.isdisjoint({one.predicate}):
            return Judgement(ruling=Ruling.FORGET, met=one, why="asked")
    return Judgement(ruling=Ruling.DROP, why="unknown")


def _same_text(candidate: Candidate, held: Sequence[Held], said_at: datetime) -> Judgement | None:
    text = " ".join(candidate.text.casefold().split())
    same = [one for one in held if " ".join(one.text.casefold().split()) == text]
    return Judgement(ruling=Ruling.REPEAT, met=same[0], why="same_text") if same else None


def _same_value(candidate: Candidate, held: Sequence[Held], said_at: datetime) -> Judgement | None:
    """Meet what says the same of the same, in other words; or the same, more closely described."""
    for one in held:
        if one.predicate != candidate.predicate and not (candidate.slot and one.slot == candidate.slot):
            continue
        if one.stance is not candidate.stance or candidate.stance is Stance.PAST:
            continue
        if one.key == candidate.key or (not one.key and candidate.slot and tells(one.text, candidate.value)):
            return Judgement(ruling=Ruling.REPEAT, met=one, why="same_value")
        if candidate.stance is not Stance.HOLDS or not one.key:
            continue
        if describes(candidate.key, one.key):
            return if_newer(candidate, one, said_at, Ruling.REFINE, "described")
        if describes(one.key, candidate.key):
            return Judgement(ruling=Ruling.REPEAT, met=one, why="less_said")
    return None


def _opposite(candidate: Candidate, held: Sequence[Held], said_at: datetime) -> Judgement | None:
    """Meet what says the contrary of the same value."""
    contrary = [one for one in held if _contradicts(candidate, one)]
    about = [one for one in contrary if _is_about(one, candidate)]
    if not about and candidate.stance in {Stance.ENDED, Stance.NEVER}:
        about = _only([one for one in contrary if names_shortly(candidate.key, one.key)])
    if not about:
        return None
    if candidate.stance is Stance.NEVER:
        return Judgement(ruling=Ruling.DENY, met=about[0], why="never_true")
    return if_newer(candidate, about[0], said_at, Ruling.SUPERSEDE, "opposite")


def _only(found: list[Held]) -> list[Held]:
    """Return the one that a short name can mean; none where it could be several."""
    return found if len(found) == 1 else []


def _contradicts(candidate: Candidate, one: Held) -> bool:
    if candidate.predicate in _TASTE_AGAINST and candidate.stance is Stance.HOLDS:
        return one.predicate in _TASTE_FOR and one.stance is Stance.HOLDS
    if one.predicate in _TASTE_AGAINST and one.stance is Stance.HOLDS:
        return candidate.predicate in {"likes", "prefers"} and candidate.stance is Stance.HOLDS
    if candidate.stance is Stance.HOLDS:
        return one.predicate == candidate.predicate and one.stance in {Stance.LACKS, Stance.ENDED}
    same_side = (one.predicate in _TASTE_AGAINST) == (candidate.predicate in _TASTE_AGAINST)
    return one.stance is Stance.HOLDS and same_side


def _is_about(one: Held, candidate: Candidate) -> bool:
    """Say whether a memory is about the candidate's value; one that a caller wrote is asked for its words."""
    if one.key:
        return one.key == candidate.key or (
            candidate.stance is not Stance.HOLDS and describes(one.key, candidate.key)
        )
    cue = _CUES.get(candidate.predicate)
    same_slot = candidate.slot is not None and one.slot == candidate.slot
    return (same_slot or bool(cue and regex.search(cue, one.text))) and tells(one.text, candidate.value)


def _named_as_replaced(candidate: Candidate, held: Sequence[Held], said_at: datetime) -> Judgement | None:
    if not candidate.replaces or candidate.stance is not Stance.HOLDS:
        return None
    cue = _CUES.get(candidate.predicate)
    open_ones = [one for one in held if one.stance is Stance.HOLDS and one.predicate not in _TASTE_AGAINST]
    named = [
        one
        for one in open_ones
        if one.key == candidate.replaces
        or (not one.key and bool(cue and regex.search(cue, one.text)) and tells(one.text, candidate.replaces))
    ] or _only([one for one in open_ones if names_shortly(candidate.replaces, one.key)])
    if not named:
        return None
    if candidate.denies:
        return Judgement(ruling=Ruling.DENY, met=named[0], why="never_true")
    return if_newer(candidate, named[0], said_at, Ruling.SUPERSEDE, "replaced")


def _same_slot(candidate: Candidate, held: Sequence[Held], said_at: datetime) -> Judgement | None:
    """Meet another value in a slot that holds one at a time."""
    if candidate.slot is None or candidate.stance is not Stance.HOLDS:
        return None
    holders = [one for one in held if one.slot == candidate.slot]
    return if_newer(candidate, holders[0], said_at, Ruling.SUPERSEDE, "other_value") if holders else None


def _same_choice(candidate: Candidate, held: Sequence[Held], said_at: datetime) -> Judgement | None:
    """Meet an earlier choice among the same things: "now prefers" supersedes, "also likes" adds."""
    if (
        not candidate.changes
        or candidate.predicate != "prefers"
        or candidate.stance is not Stance.HOLDS
        or candidate.slot
    ):
        return None
    head = head_of(candidate.key)
    for one in held:
        if (
            one.predicate == "prefers"
            and one.stance is Stance.HOLDS
            and one.key
            and head
            and head_of(one.key) == head
        ):
            return if_newer(candidate, one, said_at, Ruling.SUPERSEDE, "other_choice")
    return None


def _other_version(candidate: Candidate, held: Sequence[Held], said_at: datetime) -> Judgement | None:
    """Meet an earlier version of the same thing, where the words say that it changed."""
    if (
        not candidate.changes
        or candidate.stance is not Stance.HOLDS
        or candidate.predicate not in {"uses", "version"}
    ):
        return None
    found = _only(
        [
            one
            for one in held
            if one.stance is Stance.HOLDS and later_version(candidate.key, candidate.text, one.key, one.text)
        ]
    )
    return if_newer(candidate, found[0], said_at, Ruling.SUPERSEDE, "other_version") if found else None


_EXACT: Sequence[Rule] = (_forgotten, _same_text, _same_value)
_CHANGING: Sequence[Rule] = (_opposite, _named_as_replaced, _same_slot, _same_choice, _other_version)
