"""Pair: what speaks for and against a sentence telling that what is held is no longer so."""

from collections.abc import Mapping, Sequence
from math import log

from consolidation.rules.candidate import SAYS
from consolidation.rules.judgement import Held
from consolidation.rules.sayings.agreement import Agreement, agreement
from consolidation.rules.sayings.changed import STRONG
from consolidation.rules.sayings.heard import Heard, heard
from consolidation.rules.sayings.numbers import renumbered
from consolidation.rules.sayings.topic import rarities
from memories.sayings import words_of_saying

FEATURES = (
    "bias", "strong", "weak", "adds", "corrects", "old_rule", "new_rule",
    "rare", "rare_lead", "rare_strong", "rare_changed", "name", "left", "left_elsewhere", "left_only", "left_absent",
    "theme", "theme_changed", "theme_lead", "theme_single", "theme_share", "themes", "single", "alone",
    "owner", "apart", "kind", "renumbered", "base_lead",
)  # fmt: skip
"""Each is explained where it is told."""
MUCH = 2.0
"""What a feature counts at most."""
THEME = 0.6
"""How much a theme counts beside the words, where memories are told from each other. Set by us."""


def read_held(one: Held) -> Heard:
    """Return a memory as it is read."""
    return heard(words_of_saying(one.text)) if one.predicate == SAYS else heard(one.text, one.predicate)


def pairs(new: Heard, held: Sequence[Held]) -> list[Mapping[str, float]]:
    """Return the features of a sentence with each of the memories, in their order."""
    read = [read_held(one) for one in held]
    rare, themes = rarities([one.words for one in read]), rarities([one.themes for one in read])
    full = log(1 + len(held)) or 1.0
    texts = {one.id: old.text for one, old in zip(held, read, strict=True)}
    again = {one.id for one in renumbered(new.text, held, texts)}
    words = [_told(new.words & old.words, rare, full) for old in read]
    left = [len(new.left & old.words) for old in read]
    agreed = [agreement(new, old, themes, full) for old in read]
    base = [mine + THEME * one.theme + min(1, gone) for mine, one, gone in zip(words, agreed, left, strict=True)]
    leads = zip(_leads(words), _leads([one.theme for one in agreed]), _leads(base), strict=True)
    changing = frozenset[str]().union(*(part.words for part in new.parts if part.strength >= STRONG))
    return [
        {
            **_of_change(new, one),
            **_of_words(new, old, words[at], left[at], sum(map(bool, left))),
            **_of_theme(new, agreed[at], words[at]),
            "rare_changed": _told(changing & old.words, rare, full),
            "rare_lead": lead,
            "theme_lead": theme_lead,
            "base_lead": base_lead,
            "renumbered": float(one.id in again),
        }
        for at, (one, old, (lead, theme_lead, base_lead)) in enumerate(zip(held, read, leads, strict=True))
    ]


def _of_change(new: Heard, one: Held) -> dict[str, float]:
    """Return how it is said that something changed, and who read both."""
    return {
        "bias": 1.0,
        "strong": float(new.strength >= STRONG),
        "weak": float(0 < new.strength < STRONG),
        "adds": float(new.adds),
        "corrects": float(new.corrects),
        "old_rule": float(one.predicate != SAYS),
        "new_rule": float(bool(new.predicate)),
    }


def _of_words(new: Heard, old: Heard, words: float, left: int, meant: int) -> dict[str, float]:
    """Return what the words of both tell. left: how many given up are of the memory; meant: of how many memories any is."""
    return {
        "rare": words,
        "rare_strong": words * (new.strength >= STRONG),
        "name": float(bool(new.names & old.names)),
        "left": min(MUCH, left),
        "left_elsewhere": float(not left and meant > 0),
        "left_only": float(left > 0 and meant == 1),
        "left_absent": float(bool(new.left) and not left and words == 0),
    }


def _of_theme(new: Heard, agreed: Agreement, words: float) -> dict[str, float]:
    """Return what the themes of both tell."""
    strong = new.strength >= STRONG
    return {
        "theme": agreed.theme,
        "theme_changed": agreed.changed,
        "theme_single": agreed.theme * (strong and not agreed.apart),
        "theme_share": agreed.share,
        "themes": min(agreed.shared, 4) / 4,
        "single": float(agreed.single),
        "alone": float(agreed.theme > 0 and words == 0),
        "owner": float(agreed.owner),
        "apart": float(agreed.apart),
        "kind": float(agreed.kind),
    }


def _told(shared: frozenset[str], rare: Mapping[str, float], full: float) -> float:
    """Return how much words tell, in words that one memory alone has."""
    return min(MUCH, sum(rare[word] for word in shared) / full)


def _leads(values: Sequence[float]) -> list[float]:
    """Return by how much each is more than the best of the others."""
    first, second = sorted([*values, 0.0, 0.0], reverse=True)[:2]
    return [value - (second if value == first else first) for value in values]
