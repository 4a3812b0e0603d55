"""Playbooks that a model found, and what became of known ones.

Only where turns told the steps, and the user's own words say how it went.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import regex

from consolidation.rules.answer import Item
from consolidation.rules.ground import Lines, named, quoted, says_no_more, words_in
from consolidation.rules.ground_steps import is_told, negates, steps_in
from consolidation.rules.results import may_tell
from consolidation.rules.steps import STEPS_MIN, overlap, words_of
from memories.instructions import instructs_reader

TRIGGER_MAX_LENGTH = 500
TRIGGER_SAID, IN_PLAY = 0.6, 0.34
"""Which part of a trigger's words the user must have said, and of a playbook's what was said of it. Set by us."""
SAME_TRIGGER, SAME_STEP = 0.8, 0.75
"""How much two have in common that are one. Set by us."""
_ONESELF = regex.compile(r"\b(?:I|I've|we|we've|my|our|mine)\b|我|咱", regex.I)
_ASKS = regex.compile(r"[?？]|吗|\b(?:should I|could I|can I|would it)\b", regex.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A playbook that a model was shown."""

    trigger: str
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldPlaybook:
    """What a model found of a playbook, grounded.

    ref: which known one it is about; empty for a new one. trigger: a new one's. steps: a new one's, or the refined
    ones; empty where nothing of them changes. worked: what the user says of it; None where that is nothing.
    lines: the turns it rests on; tellers: those that told what is new of the steps. start, end: the user's words in
    the turn it was found in, which is at.
    """

    at: str
    lines: tuple[str, ...]
    tellers: tuple[str, ...]
    start: int
    end: int
    ref: str = ""
    trigger: str = ""
    steps: tuple[str, ...] = ()
    worked: bool | None = None


def playbooks_in(items: Sequence[Item], lines: Lines) -> Iterator[tuple[str, ToldPlaybook]]:
    """Yield each new playbook that stands in the turns, with the turn in which the user speaks of it.

    told_as worked: the steps were told by anybody and the user says that they worked. own: the user tells them all.
    """
    for item in items:
        ids = named(item, lines, fresh=False)
        found = _told(item, ids, lines)
        if found is None:
            continue
        at, span = found
        worked = item.get("told_as") == "worked"
        steps, trigger = (
            steps_in(item.get("steps"), fewest=STEPS_MIN),
            words_in(item.get("trigger"), longest=TRIGGER_MAX_LENGTH),
        )
        tellers = [one for one in ids if worked or (lines[one].by_user and lines[one].fresh)]
        quote = lines[at].content[slice(*span)]
        if not (may_tell(quote, success=True) if worked else item.get("told_as") == "own" and _is_own(quote)):
            continue
        told_by = _tellers(steps, (), tellers, lines)
        if steps and told_by is not None and _is_named(trigger, ids, lines):
            sure = True if worked else None
            yield at, _playbook(at, span, ids, told_by, trigger=trigger, steps=steps, worked=sure)


def updates_in(items: Sequence[Item], lines: Lines, known: Mapping[str, Known]) -> Iterator[tuple[str, ToldPlaybook]]:
    """Yield what became of known playbooks, with the turn in which the user says it."""
    for item in items:
        ref = item.get("playbook")
        ids = named(item, lines, fresh=False)
        found = _told(item, ids, lines)
        if found is None or not isinstance(ref, str) or ref not in known or not _in_play(known[ref], ids, lines):
            continue
        at, span = found
        worked = {"success": True, "failure": False}.get(str(item.get("outcome")))
        if worked is not None and not may_tell(lines[at].content[slice(*span)], success=worked):
            continue
        said = [one for one in ids if worked or lines[one].by_user]
        steps = _refined(item, known[ref])
        told_by = _tellers(steps, known[ref].steps, said, lines)
        if told_by is None:
            steps, told_by = (), ()
        if worked is not None or steps:
            yield at, _playbook(at, span, ids, told_by, ref=ref, steps=steps, worked=worked)


def _playbook(
    at: str,
    span: tuple[int, int],
    ids: Sequence[str],
    tellers: tuple[str, ...],
    *,
    steps: tuple[str, ...],
    worked: bool | None,
    ref: str = "",
    trigger: str = "",
) -> ToldPlaybook:
    start, end = span
    return ToldPlaybook(
        at=at, lines=tuple(ids), tellers=tellers, start=start, end=end, ref=ref, trigger=trigger, steps=steps,
        worked=worked,
    )  # fmt: skip


def _tellers(steps: Sequence[str], known: Sequence[str], ids: Sequence[str], lines: Lines) -> tuple[str, ...] | None:
    """Return the turns that told the steps that are not known, the user's before others'; None, where one was not."""
    found: list[str] = []
    for step in steps:
        if is_known(step, known):
            continue
        own_first = sorted(ids, key=lambda one: not lines[one].by_user)
        teller = next((one for one in own_first if is_told(step, [lines[one].content])), None)
        if teller is None:
            return None
        found.append(teller)
    return tuple(dict.fromkeys(found))


def _told(item: Item, ids: Sequence[str], lines: Lines) -> tuple[str, tuple[int, int]] | None:
    """Return the turn of the user's that has the quote, and where."""
    for one in ids:
        if lines[one].by_user and lines[one].fresh:
            span = quoted(item.get("quote"), lines[one].content)
            if span is not None:
                return one, span
    return None


def _is_own(quote: str) -> bool:
    return bool(_ONESELF.search(quote)) and not _ASKS.search(quote)


def _is_named(trigger: str, ids: Sequence[str], lines: Lines) -> bool:
    """Say whether the user spoke of when a playbook applies, and it tells nobody else what to do."""
    said = "\n".join(lines[one].content for one in ids if lines[one].by_user)
    wanted = words_of(trigger)
    if not wanted or instructs_reader(trigger) or not says_no_more(trigger, said):
        return False
    return len(wanted & words_of(said)) / len(wanted) >= TRIGGER_SAID


def _in_play(known: Known, ids: Sequence[str], lines: Lines) -> bool:
    """Say whether the turns speak of a playbook: of when it applies, or of one of its steps."""
    said = words_of("\n".join(lines[one].content for one in ids))
    trigger = words_of(known.trigger)
    of_trigger = len(trigger & said) / len(trigger) if trigger else 0.0
    of_steps = max(
        (len(words_of(step) & said) / len(words_of(step)) for step in known.steps if words_of(step)), default=0.0
    )
    return of_trigger >= IN_PLAY or of_steps >= SAME_STEP


def _refined(item: Item, known: Known) -> tuple[str, ...]:
    """Return refined steps; none, where nothing changes or they tell their reader something else to do."""
    steps = steps_in(item.get("refined_steps"), fewest=1)
    same = all(is_known(step, known.steps) for step in steps) and len(steps) == len(known.steps)
    return () if same or instructs_reader("\n".join(steps)) else steps


def is_known(step: str, steps: Sequence[str]) -> bool:
    """Say whether a step is one of some others, whatever its letter case and marks."""
    words = words_of(step)
    same = [one for one in steps if words == words_of(one) or step.casefold() == one.casefold()]
    return any(negates(one) is negates(step) for one in same)


def is_same_trigger(one: str, other: str) -> bool:
    """Say whether two playbooks apply to the same."""
    return (
        " ".join(one.casefold().split()) == " ".join(other.casefold().split())
        or overlap(words_of(one), words_of(other)) >= SAME_TRIGGER
    )
