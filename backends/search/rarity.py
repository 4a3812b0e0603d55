"""How telling a term is that few documents have."""

from collections.abc import Mapping


def rarity(frequency: int, *, at_most: int) -> float:
    """Return 1 / frequency of a term that 1 to `at_most` documents of the reach have in their turn, else 0.

    1 = only one has it: whoever asks by that term wants that one.
    """
    return 1 / frequency if 0 < frequency <= at_most else 0.0


def rare_among(frequencies: Mapping[str, tuple[int, int]], *, at_most: int) -> list[str]:
    """Return the terms that 1 to `at_most` documents have in their turn; frequencies as in Statistics."""
    return [term for term, (turns, _) in frequencies.items() if 0 < turns <= at_most]
