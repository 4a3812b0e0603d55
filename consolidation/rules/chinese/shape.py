"""Shape: one way to say something about oneself in Chinese."""

from dataclasses import dataclass

from consolidation.rules.candidate import Stance


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One way to say something about oneself: the pattern after subject and adverbs, and the sentence it becomes."""

    rule: str
    pattern: str
    text: str
    predicate: str
    slot: str | None = None
    category: str = ""
    importance: float = 0.5
    stance: Stance = Stance.HOLDS
    changes: bool = False
