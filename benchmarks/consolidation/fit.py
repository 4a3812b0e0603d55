"""`python -m benchmarks.consolidation.fit`: the weights of the cues by which a sentence is kept as it was said.

A logistic regression (ridge 1.0, Newton's method) over the users' sentences of benchmarks/data: one
counts as lasting when it has the words of a label of its turn. Prints for each file how well weights do that were
fitted on the other files, and then the weights fitted on all.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from benchmarks.consolidation.labelled import DATA, Conversation, load
from benchmarks.consolidation.score import fits
from consolidation.rules.clauses import sentences
from consolidation.rules.masks import masked
from consolidation.rules.sayings import chinese, english
from consolidation.rules.sayings.cue import Language
from consolidation.rules.sayings.lasting import language_of
from consolidation.rules.sayings.sayings import SURE_ENOUGH

RIDGE = 1.0
STEPS = 50
CLOSE = 1e-6
Numbers: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.float64]]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence: its file, its cues as 0 and 1 (last: answers a question, follows one that lasts), and its label."""

    file: str
    language: Language
    cues: tuple[float, ...]
    lasting: bool


def main() -> int:
    """Print figures and weights; return 0."""
    read = [one for file in sorted(DATA.glob("consolidation-*.json")) for one in _sentences(file.name, load([file]))]
    for name, language in (("English", english.LANGUAGE), ("Chinese", chinese.LANGUAGE)):
        own = [one for one in read if one.language is language]
        for file in dict.fromkeys(one.file for one in own):
            weights = _fitted([one for one in own if one.file != file])
            print(f"{name}, {file}, by the others: {_figures([one for one in own if one.file == file], weights)}")
        weights = _fitted(own)
        names = [*(cue.name for cue in language.cues), "answers", "follows", "bias"]
        print(f"{name}: " + ", ".join(f"{cue} {weight:.1f}" for cue, weight in zip(names, weights, strict=True)))
    return 0


def _sentences(file: str, conversations: Sequence[Conversation]) -> Iterator[Sentence]:
    for conversation in conversations:
        asked = False
        for turn in conversation.turns:
            if turn.role == "user":
                hidden = masked(turn.content)
                before = False
                for start, end in sentences(hidden):
                    language = language_of(hidden[start:end])
                    cues = tuple(float(cue.has(hidden[start:end])) for cue in language.cues)
                    lasting = any(fits(turn.content[start:end], label) for label in turn.facts)
                    yield Sentence(
                        file=file, language=language, cues=(*cues, float(asked), float(before)), lasting=lasting
                    )
                    before = lasting
            asked = turn.role == "assistant" and turn.content.rstrip().endswith(("?", "？"))


def _fitted(read: Sequence[Sentence]) -> Numbers:
    given = _matrix(read)
    return fitted(given, np.array([one.lasting for one in read], dtype=float), free=given.shape[1] - 1)


def fitted(given: "np.ndarray[tuple[int, int], np.dtype[np.float64]]", wanted: Numbers, *, free: int) -> Numbers:
    """Return the weights of a logistic regression; free: the column of the bias, which may be of any size."""
    ridge = np.full(given.shape[1], RIDGE)
    ridge[free] = CLOSE
    weights = np.zeros(given.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-given @ weights))
        slope = given.T @ (likely - wanted) + ridge * weights
        curve = (given.T * (likely * (1 - likely))) @ given + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        weights = weights - step
        if np.abs(step).max() < CLOSE:
            break
    return weights


def _matrix(read: Sequence[Sentence]) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    return np.array([[*one.cues, 1.0] for one in read])


def _figures(read: Sequence[Sentence], weights: Numbers) -> str:
    kept = 1 / (1 + np.exp(-_matrix(read) @ weights)) >= SURE_ENOUGH
    wanted = np.array([one.lasting for one in read])
    found = int((kept & wanted).sum())
    return (
        f"{len(read)} sentences, {int(wanted.sum())} of them lasting; kept {int(kept.sum())}, "
        f"precision {found / max(1, int(kept.sum())):.3f}, recall {found / max(1, int(wanted.sum())):.3f}"
    )


if __name__ == "__main__":
    sys.exit(main())
