"""Frame: one way to say something that several verbs share."""

from dataclasses import dataclass

from consolidation.rules.candidate import Stance
from consolidation.rules.statement import SURE

PROPER = r"(?-i:[\p{Lu}\p{Han}])"
"""How a name begins, in whichever script."""
VERSION = r"v?\d+(?:\.\d+)+"
WHO = r"(?:(?:I|we)(?:'ve|'m| have| am)? )(?:just |recently |finally |already |now |also )*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The pattern of a whole clause and the sentence it becomes; whole: the value is kept with its times and dates.

    only_if_met: it is kept only where it takes the place of something known.
    """

    rule: str
    pattern: str
    text: str
    predicate: str
    slot: str | None = None
    category: str = ""
    importance: float = 0.5
    confidence: float = SURE
    stance: Stance = Stance.HOLDS
    changes: bool = False
    whole: bool = False
    only_if_met: bool = False
    ttl_days: int | None = None
