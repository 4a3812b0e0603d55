"""Turn: what the statements of one turn mean together: what ended there, what came instead, who holds a slot."""

from dataclasses import replace

from consolidation.rules.candidate import ENDS, LEFT, Candidate, Stance

_GONE = {Stance.ENDED, Stance.NEVER, Stance.LACKS}
_SLOTS_LEFT = {"residence", "employer", "place of work", "school", "place of study"}
_SURE_TOGETHER = 0.85
_OWNED = frozenset({"has", "drives", "rides", "device", "uses"})
_TASTES = frozenset({"likes", "prefers", "eats", "drinks", "uses", "buys", "does", "plays", "studies", "version"})


def together(candidates: list[Candidate]) -> list[Candidate]:
    """Return the statements of a turn with what they say of each other."""
    named = {one.key for one in candidates if one.slot == "name" and one.stance is Stance.HOLDS}
    told = [one for one in candidates if one.slot != "surname" or not any(name.startswith(one.key) for name in named)]
    once: dict[tuple[str, str, Stance], Candidate] = {}
    for one in _without_what_is_replaced(told):
        once.setdefault((one.predicate, one.key, one.stance), one)
    return _one_a_slot(list(once.values()))


def _without_what_is_replaced(candidates: list[Candidate]) -> list[Candidate]:
    """Merge what ended into what the same turn says came instead: "we left Bristol, we're in Edinburgh now"."""
    instead: dict[int, Candidate] = {}
    taken: dict[int, int] = {}
    for index, gone in enumerate(candidates):
        at = _instead_of(gone, index, candidates) if gone.stance in _GONE else None
        if at is None:
            continue
        if at not in taken:
            new = instead.get(at, candidates[at])
            sure = max(new.confidence, _SURE_TOGETHER) if gone.predicate == LEFT else new.confidence
            instead[at] = replace(
                new,
                replaces=new.replaces or gone.key,
                changes=True,
                denies=gone.stance is Stance.NEVER,
                confidence=sure,
            )
            taken[at] = index
        instead[index] = gone
    return [
        instead.get(index, candidate)
        for index, candidate in enumerate(candidates)
        if not (index in instead and candidate.stance in _GONE)
    ]


def _instead_of(gone: Candidate, index: int, candidates: list[Candidate]) -> int | None:
    """Return which statement of a turn says what holds in the place of what does not."""
    order = sorted(range(len(candidates)), key=lambda at: (at < index, abs(at - index)))
    for at in order:
        new = candidates[at]
        if new.stance is not Stance.HOLDS or new.key == gone.key:
            continue
        if gone.predicate == LEFT and new.slot in _SLOTS_LEFT:
            return at
        if gone.slot and new.slot == gone.slot:
            return at
        if gone.stance is Stance.LACKS or gone.slot or new.replaces not in {"", gone.key}:
            continue
        if gone.stance is Stance.NEVER and new.predicate == gone.predicate:
            return at
        if gone.stance is Stance.ENDED and new.changes and _alike(gone.predicate, new.predicate):
            return at
    return None


def _alike(gone: str, new: str) -> bool:
    """Say whether something of one kind can take the place of something of another."""
    if gone == ENDS:
        return new in _OWNED | _TASTES
    return any(gone in group and new in group for group in (_OWNED, _TASTES))


def _one_a_slot(candidates: list[Candidate]) -> list[Candidate]:
    """Leave a slot to the one value that a turn calls new, or to the first: "I moved to Edinburgh, I live in Leith"."""
    holders: dict[str, Candidate] = {}
    for candidate in candidates:
        if candidate.slot and candidate.stance is Stance.HOLDS:
            held = holders.setdefault(candidate.slot, candidate)
            if candidate.changes and not held.changes:
                holders[candidate.slot] = candidate
    return [
        replace(one, slot=None) if one.slot and one.stance is Stance.HOLDS and holders[one.slot] is not one else one
        for one in candidates
    ]
