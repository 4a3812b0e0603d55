"""Heard: a text read once for everything that its likeness to others is told by."""

from dataclasses import dataclass
from functools import lru_cache

from consolidation.rules.clauses import clauses_of, sentences
from consolidation.rules.sayings.changed import STRONG, adds, strength_of
from consolidation.rules.sayings.kinds import kinds_of
from consolidation.rules.sayings.owners import OTHER, SELF, owners_of
from consolidation.rules.sayings.themes import themes_of
from consolidation.rules.sayings.topic import corrects, given_up, names_in, topic

KEPT_MAX = 4096
"""How many texts are kept as they were read, until forget_heard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A clause. words: of its topic. strength: of its words of change, in [0, 1]."""

    text: str
    words: frozenset[str]
    themes: frozenset[str]
    owners: frozenset[str]
    kinds: frozenset[str]
    strength: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A text. left: the words of what it gives up. adds: it tells of something beside what there is."""

    text: str
    words: frozenset[str]
    themes: frozenset[str]
    left: frozenset[str]
    parts: tuple[Part, ...]
    adds: bool
    names: frozenset[str]
    corrects: bool
    predicate: str

    @property
    def strength(self) -> float:
        """Return how strongly it says that something changed."""
        return max((part.strength for part in self.parts), default=0.0)


@lru_cache(maxsize=KEPT_MAX)
def heard(text: str, predicate: str = "", *, changes: bool = False) -> Heard:
    """Return a text as it is read; predicate: of what a rule read; changes: the rule read that it was otherwise."""
    parts: list[Part] = []
    for first, last in sentences(text):
        sentence = text[first:last]
        for start, end in clauses_of(sentence):
            clause = sentence[start:end]
            owners = owners_of(clause)
            before = parts[-1].owners if parts else frozenset({SELF})
            if not owners or (owners == {OTHER} and before != {SELF}):
                owners = before
            parts.append(
                Part(
                    text=clause,
                    words=topic(clause),
                    themes=themes_of(clause, predicate=predicate),
                    owners=owners,
                    kinds=kinds_of(clause),
                    strength=STRONG if changes else strength_of(clause),
                )
            )
    return Heard(
        text=text,
        words=topic(text),
        themes=frozenset[str]().union(*(part.themes for part in parts)),
        left=given_up(text),
        parts=tuple(parts),
        adds=adds(text),
        names=names_in(text),
        corrects=corrects(text),
        predicate=predicate,
    )


def forget_heard() -> None:
    """Forget what was read: what people said stays nowhere but in the record."""
    heard.cache_clear()
    themes_of.cache_clear()
