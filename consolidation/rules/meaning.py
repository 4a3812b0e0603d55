"""Meaning: whether two statements say the same in other words.

Nearness of vectors tells what a statement is about, not what it says of it: of 124 pairs that differ in a number, a name, a
negation or a colour, 123 have a cosine of 0.90 or more. So nearness only proposes, and every word has to have its counterpart.
"""

from collections.abc import Sequence

from consolidation.rules.candidate import Candidate, Stance
from consolidation.rules.judgement import Judgement, Nearby, Ruling
from consolidation.rules.wording import Word, wording_of

NEAR = 0.90
"""The least cosine of what may say the same. Source: seed S4, 3 (0.90 and the same meaning = a duplicate)."""
TIMES_LONGER = 3
"""What is so much longer says more."""
_TOGETHER: Sequence[frozenset[str]] = (
    frozenset({"has", "has_family", "drives", "rides", "device", "uses", "raised", "collects"}),
    frozenset({"allergic_to", "has_condition", "avoids", "diet", "takes", "eats"}),
    frozenset({"works_as", "works_for", "works_in", "occupation", "employer", "runs", "manages", "teaches"}),
    frozenset({"likes", "does", "plays", "favourite", "hobby", "eats", "drinks", "buys", "supports", "follows"}),
    frozenset({"prefers", "wants"}),
    frozenset({"dislikes", "avoids"}),
    frozenset({"studies", "studies_at", "studies_in", "major", "school", "learns"}),
    frozenset({"does", "commutes", "takes", "rides"}),
    frozenset({"speaks", "can"}),
)
"""Predicates under which one and the same statement may be filed."""
_KNOWN = frozenset().union(*_TOGETHER) | {
    "lives_in",
    "comes_from",
    "born",
    "lives_with",
    "name",
    "called",
    "nickname",
    "surname",
    "version",
    "error",
    "did",
    "past",
}


_TOLD = {Stance.HOLDS, Stance.LACKS, Stance.ENDED}


def same_meaning(candidate: Candidate, near: Sequence[Nearby]) -> Judgement | None:
    """Return that a candidate says once more, in other words, what one of the facts near to it says: the nearest such."""
    if not may_repeat(candidate):
        return None
    for one in sorted(near, key=lambda one: -one.cosine):
        if one.cosine < NEAR:
            return None
        held = one.held
        alike = held.stance is candidate.stance and go_together(candidate.predicate, held.predicate)
        if alike and says_the_same(candidate.text, held.text):
            return Judgement(ruling=Ruling.REPEAT, met=held, why="same_meaning")
    return None


def may_repeat(candidate: Candidate) -> bool:
    """Say whether a candidate may say what is known: what says that something changed does more than to repeat."""
    return candidate.stance in _TOLD and not (candidate.changes or candidate.replaces or candidate.only_if_met)


def go_together(predicate: str, other: str) -> bool:
    """Say whether two statements filed so may be the same one; of a predicate that no rule has, its words decide."""
    if predicate == other or predicate not in _KNOWN or other not in _KNOWN:
        return True
    return any(predicate in group and other in group for group in _TOGETHER)


def says_the_same(text: str, other: str) -> bool:
    """Say whether every word of each has its counterpart in the other; where who does what hangs on it, in order.

    What differs in a number, a unit, a date, a name, a negation, in when or how often, or in what is only wished for,
    is something else.
    """
    if max(len(text), len(other)) > TIMES_LONGER * min(len(text), len(other)):
        return False
    one, two = wording_of(text), wording_of(other)
    if len(one.words) != len(two.words) or not one.words:
        return False
    if (one.is_a and two.has) or (one.has and two.is_a):
        return False
    if one.ordered or two.ordered:
        return all(not first.isdisjoint(second) for first, second in zip(one.words, two.words, strict=True))
    return _paired(one.words, list(two.words))


def _paired(words: Sequence[Word], left: list[Word]) -> bool:
    for word in words:
        at = next((place for place, other in enumerate(left) if not word.isdisjoint(other)), None)
        if at is None:
            return False
        del left[at]
    return True
