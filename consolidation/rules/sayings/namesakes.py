"""Namesakes: texts that share who they tell of, and tell different matters of them."""

from consolidation.rules.sayings.heard import Heard
from consolidation.rules.sayings.owners import owners_of

BETWEEN = frozenset({"partner"})
"""Themes of what is between people: what they share are the people."""


def only_named(new: Heard, old: Heard) -> bool:
    """Say whether two texts have nothing but people, pets and names in common, and each tells another matter of them.

    What the new one gives up is in common. What has no theme of its own tells of the people themselves: "Rex died".
    """
    shared = new.words & old.words
    names = new.names | old.names
    if not shared or any(word not in names and not owners_of(word) for word in shared):
        return False
    if (new.left - names) & old.words or new.themes & BETWEEN:
        return False
    return bool(new.themes) and not new.themes & old.themes
