"""Texts and questions that a load is made of: a conversation's own, or those this project brings."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backends.embedders.base import Embedder
from benchmarks.read_your_writes.trials import make_trials
from benchmarks.recall_quality.locomo import load_locomo

EMBEDDED = 400
"""Real vectors that are mixed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """texts: what is said. questions: what is asked. name: where they are from."""

    name: str
    texts: Sequence[str]
    questions: Sequence[str]


def read_corpus(path: Path | None, *, seed: int) -> Corpus:
    """Return the turns and questions of a file in LoCoMo's layout; without one, invented ones."""
    if path is not None:
        conversations = load_locomo(path).conversations
        texts = [turn.text for conversation in conversations for turn in conversation.turns]
        return Corpus(
            name=path.name,
            texts=texts,
            questions=[question.text for conversation in conversations for question in conversation.questions],
        )
    trials = make_trials(500, seed=seed)
    return Corpus(
        name="invented turns",
        texts=[trial.statement for trial in trials],
        questions=[trial.question for trial in trials],
    )


class Mixer:
    """New turns of old words: the first half of one text, the second half of another; vectors between two real ones.

    Embedding each text would cost 20 to 40 ms: an hour for 100,000. real: how many vectors are.
    """

    def __init__(self, texts: Sequence[str], embedder: Embedder, *, seed: int, real: int = EMBEDDED) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
        self._noise = np.random.default_rng(seed)
        self._texts = texts
        self._vectors = embedder.passages(self._chance.sample(list(texts), min(real, len(texts))))

    def text(self) -> str:
        """Return a text; one that has no spaces is halved by characters."""
        first, second = self._chance.choice(self._texts), self._chance.choice(self._texts)
        joint = " " if " " in first and " " in second else ""
        one, two = (text.split() if joint else list(text) for text in (first, second))
        return joint.join([*one[: (len(one) + 1) // 2], *two[len(two) // 2 :]])

    def vector(self) -> NDArray[np.float32]:
        """Return a vector of length 1."""
        one, two = (self._vectors[self._chance.randrange(len(self._vectors))] for _ in range(2))
        share = self._noise.uniform(0.5, 1.0)
        mixed = share * one + (1 - share) * two + self._noise.normal(0, 0.01, one.shape)
        found: NDArray[np.float32] = (mixed / np.linalg.norm(mixed)).astype(np.float32)
        return found
