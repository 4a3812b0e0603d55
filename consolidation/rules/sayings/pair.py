"""Pair: what speaks for and against a sentence telling that what is held is no longer so."""

from collections.abc import Mapping, Sequence
from math import log

from consolidation.rules.candidate import SAYS
from consolidation.rules.judgement import Held
from consolidation.rules.sayings.heard import Heard, heard
from consolidation.rules.sayings.numbers import renumbered
from consolidation.rules.sayings.owners import are_apart
from consolidation.rules.sayings.topic import rarities
from memories.sayings import words_of_saying

FEATURES = (
    "bias", "strong", "weak", "adds", "rare", "rare_lead", "rare_strong", "left", "left_elsewhere", "theme", "theme_changed",
    "theme_lead", "themes", "owner", "apart", "kind", "renumbered", "old_rule", "new_rule", "base_lead", "alone", "name",
    "rare_changed", "corrects", "theme_single", "left_only", "left_absent", "single", "theme_share",
)  # fmt: skip
SINGLE = frozenset(
    {
        "residence",
        "rent",
        "employer",
        "role",
        "boss",
        "phone",
        "email",
        "hours",
        "age",
        "smoking",
        "partner",
        "phone_device",
        "salary",
    }
)
"""Themes of which most people have one at a time."""
MUCH = 2.0
"""What a feature counts at most."""


def read_held(one: Held) -> Heard:
    """Return a memory as it is read."""
    return heard(words_of_saying(one.text), "") if one.predicate == SAYS else heard(one.text, one.predicate)


def pairs(new: Heard, held: Sequence[Held]) -> list[Mapping[str, float]]:
    """Return the features of a sentence with each of the memories, in their order."""
    read = [read_held(one) for one in held]
    rare = rarities([one.words for one in read])
    themes = rarities([one.themes for one in read])
    full = log(1 + len(held)) or 1.0
    again = {
        one.id for one in renumbered(new.text, held, {one.id: old.text for one, old in zip(held, read, strict=True)})
    }
    words = [_much(sum(rare[word] for word in new.words & old.words) / full) for old in read]
    left = [len(new.left & old.words) for old in read]
    joined = [_themes(new, old, themes, full) for old in read]
    base = [mine + 0.6 * theme[0] + min(1, gone) for mine, theme, gone in zip(words, joined, left, strict=True)]
    changing = frozenset[str]().union(*(part.words for part in new.parts if part.strength >= 1))
    found: list[Mapping[str, float]] = []
    for at, (one, old) in enumerate(zip(held, read, strict=True)):
        theme, changed, shared, kind, owner, apart, single, share = joined[at]
        found.append(
            {
                "bias": 1.0,
                "strong": float(new.strength >= 1),
                "weak": float(0 < new.strength < 1),
                "adds": float(new.adds),
                "rare": words[at],
                "rare_lead": words[at] - _best(words, at),
                "rare_strong": words[at] * (new.strength >= 1),
                "left": min(MUCH, left[at]),
                "left_elsewhere": float(not left[at] and any(left)),
                "theme": theme,
                "theme_changed": changed,
                "theme_lead": theme - _best([other[0] for other in joined], at),
                "themes": min(shared, 4) / 4,
                "owner": owner,
                "apart": apart,
                "kind": kind,
                "renumbered": float(one.id in again),
                "old_rule": float(one.predicate != SAYS),
                "base_lead": base[at] - _best(base, at),
                "alone": float(theme > 0 and words[at] == 0),
                "name": float(bool(new.names & old.names)),
                "rare_changed": _much(sum(rare[word] for word in changing & old.words) / full),
                "new_rule": float(bool(new.predicate)),
                "corrects": float(new.corrects),
                "left_only": float(left[at] > 0 and sum(map(bool, left)) == 1),
                "left_absent": float(bool(new.left) and not left[at] and words[at] == 0),
                "single": float(single),
                "theme_share": share,
                "theme_single": theme * (new.strength >= 1) * (1 - apart),
            }
        )
    return found


def _themes(
    new: Heard, old: Heard, rare: Mapping[str, float], full: float
) -> tuple[float, float, int, float, float, float, float, float]:
    """Return how telling the rarest shared theme is, the same of a clause of change, and how the clauses that share it agree."""
    best = (0.0,) * 7
    shared: set[str] = set()
    changed = 0.0
    for part in new.parts:
        for other in old.parts:
            same = part.themes & other.themes
            if not same:
                continue
            shared |= same
            much = min(1.0, max(rare[theme] for theme in same) / full)
            if part.strength >= 1:
                changed = max(changed, much)
            apart = float(are_apart(part.owners, other.owners))
            owner = float(bool(part.owners & other.owners))
            kind = float(bool(part.kinds & other.kinds))
            single = float(bool(same & SINGLE) and not apart)
            agree = len(same) / len(part.themes | other.themes)
            weigh = much + 0.3 * kind + 0.2 * owner - 0.5 * apart + 0.2 * part.strength + 0.2 * agree
            best = max(best, (weigh, much, kind, owner, apart, single, agree))
    _, much, kind, owner, apart, single, agree = best
    return much, changed, len(shared), kind, owner, apart, single, agree


def _best(values: Sequence[float], at: int) -> float:
    return max((value for other, value in enumerate(values) if other != at), default=0.0)


def _much(value: float) -> float:
    return min(MUCH, value)
