"""Agreement: how the clauses of two texts that tell of the same matter agree."""

from collections.abc import Mapping
from dataclasses import dataclass

from consolidation.rules.sayings.changed import STRONG
from consolidation.rules.sayings.heard import Heard, Part
from consolidation.rules.sayings.owners import are_apart

SINGLE = frozenset(
    "residence rent employer role boss phone email hours age smoking partner phone_device salary".split()  # noqa: SIM905
)
"""Themes of which most people have one at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How the two clauses agree that do best, each in [0, 1] but shared.

    theme: how rare the rarest theme of both is among what is held. share: which part of their themes is of both. kind: they give a value
    of one kind. owner: they tell of one person; apart: of two. single: of that theme most people have one thing.
    changed: theme, of clauses of change alone. shared: the number of all themes that both texts have.
    """

    theme: float = 0.0
    share: float = 0.0
    kind: bool = False
    owner: bool = False
    apart: bool = False
    single: bool = False
    changed: float = 0.0
    shared: int = 0


def agreement(new: Heard, old: Heard, themes: Mapping[str, float], full: float) -> Agreement:
    """Return how two texts agree. themes: how much each tells one memory from the others; full: the most."""
    best, most, changed = Agreement(), 0.0, 0.0
    for part in new.parts:
        for other in old.parts:
            same = part.themes & other.themes
            if not same:
                continue
            one = _agree(part, other, min(1.0, max(themes[theme] for theme in same) / full))
            changed = max(changed, one.theme) if part.strength >= STRONG else changed
            much = one.theme + 0.3 * one.kind + 0.2 * (one.owner + part.strength + one.share) - 0.5 * one.apart
            if much > most:
                best, most = one, much
    return Agreement(
        theme=best.theme,
        share=best.share,
        kind=best.kind,
        owner=best.owner,
        apart=best.apart,
        single=best.single,
        changed=changed,
        shared=len(new.themes & old.themes),
    )


def _agree(part: Part, other: Part, theme: float) -> Agreement:
    same = part.themes & other.themes
    apart = are_apart(part.owners, other.owners)
    return Agreement(
        theme=theme,
        share=len(same) / len(part.themes | other.themes),
        kind=bool(part.kinds & other.kinds),
        owner=bool(part.owners & other.owners),
        apart=apart,
        single=bool(same & SINGLE) and not apart,
    )
