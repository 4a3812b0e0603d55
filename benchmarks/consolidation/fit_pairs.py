"""`python -m benchmarks.consolidation.fit_pairs`: the weights by which a sentence closes what was said earlier.

A logistic regression (ridge 1.0) over the pairs of a sentence that is kept as it was said with each memory held at
that moment, of benchmarks/data: a pair is meant when a label has the words of both. Prints for each file how the
weights fitted on the other files do on it, pair by pair, and then the weights fitted on all; with --write they are
put into the code.

changes-told.json is never measured: the rules' maker wrote it, for changes that name nothing of what they replace,
and for what only looks like one. It is among the others each time.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import numpy as np
import regex

from benchmarks.consolidation.fit import fitted
from benchmarks.consolidation.labelled import DATA, Conversation, LabelledTurn, load
from benchmarks.consolidation.score import fits
from consolidation.rules import sayings
from consolidation.rules.candidate import SAYS, Candidate, Stance
from consolidation.rules.clauses import sentences
from consolidation.rules.extract import extract
from consolidation.rules.judgement import Held
from consolidation.rules.sayings.heard import heard
from consolidation.rules.sayings.links import SURE, likely
from consolidation.rules.sayings.meets import rest_of
from consolidation.rules.sayings.pair import FEATURES, pairs
from consolidation.rules.sayings.sayings import SURE_ENOUGH
from memories.sayings import as_said, words_of_saying

TOLD = DATA / "changes-told.json"
BEGINS = datetime(2026, 3, 1, tzinfo=UTC)
STEP = timedelta(minutes=5)
WEIGHTS = Path(sayings.__file__).parent / "pair_weights.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A pair's features, and whether a label means it."""

    file: str
    features: Mapping[str, float]
    meant: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Print figures and weights; return 0."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.consolidation.fit_pairs", description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the weights into the code")
    options = parser.parse_args(arguments)
    read = [one for file in sorted(DATA.glob("consolidation-*.json")) for one in pairs_of(file.name, load([file]))]
    measured = list(dict.fromkeys(one.file for one in read))
    read += pairs_of(TOLD.name, load([TOLD]))
    for file in measured:
        weights = weights_of([one for one in read if one.file != file])
        print(f"{file}, by the others: {_figures([one for one in read if one.file == file], weights)}")
    weights = weights_of(read)
    print(", ".join(f"{name} {weight:.2f}" for name, weight in weights.items()))
    if options.write:
        write(weights)
    return 0


def write(weights: Mapping[str, float]) -> None:
    """Put weights into the code."""
    said = "".join(f'    "{name}": {weight:.2f},\n' for name, weight in weights.items())
    text = WEIGHTS.read_text(encoding="utf-8")
    WEIGHTS.write_text(regex.sub(r"(?<=WEIGHTS = \{\n)(?:    .*\n)*(?=\})", said, text), encoding="utf-8")


def weights_of(read: Sequence[Pair]) -> dict[str, float]:
    """Return the weights fitted on pairs."""
    given = np.array([[one.features[name] for name in FEATURES] for one in read])
    found = fitted(given, np.array([one.meant for one in read], dtype=float), free=FEATURES.index("bias"))
    return {name: round(float(weight), 2) for name, weight in zip(FEATURES, found, strict=True)}


def pairs_of(file: str, conversations: Sequence[Conversation]) -> Iterator[Pair]:
    """Yield the pairs of conversations; each turn closed what its labels say, and all that is labelled was kept."""
    for conversation in conversations:
        held: list[Held] = []
        asked, at = False, BEGINS
        for turn in conversation.turns:
            at += STEP
            if turn.role == "user":
                found = extract(turn.content, said_at=at, answers=asked)
                said = [] if found.suspect else list(found.candidates)
                newest = list(reversed(held))
                for one in said:
                    yield from _pairs(file, turn, one, newest)
                held = _after(turn, held)
                held += _kept(turn, said, at, len(held))
            asked = turn.role == "assistant" and turn.content.rstrip().endswith(("?", "？"))


def _pairs(file: str, turn: LabelledTurn, one: Candidate, held: Sequence[Held]) -> Iterator[Pair]:
    """Yield the pairs of a candidate; what a rule read has them where it meets nothing that a rule read before."""
    new, pool = heard(one.value), held
    if one.predicate != SAYS:
        new = heard(one.around, one.predicate, changes=one.changes)
        pool = [other for other in held if other.predicate == SAYS]
        ruled = [other for other in held if other.predicate != SAYS]
        if not one.around or one.stance not in {Stance.HOLDS, Stance.ENDED} or any(_meant(turn, one, ruled)):
            return
    for meant, features in zip(_meant(turn, one, pool), pairs(new, pool) if pool else (), strict=True):
        yield Pair(file=file, features=features, meant=meant)


def _meant(turn: LabelledTurn, one: Candidate, held: Sequence[Held]) -> list[bool]:
    return [any(fits(other.text, old) and fits(one.text, new) for old, new in turn.supersedes) for other in held]


def _after(turn: LabelledTurn, held: Sequence[Held]) -> list[Held]:
    """Return what is held once a turn closed what its labels say."""
    gone = [one for one in held if any(fits(one.text, old) for old, _ in turn.supersedes)]
    rest = [
        (one, kept)
        for one in gone
        if one.predicate == SAYS and (kept := rest_of(words_of_saying(one.text), turn.content))
    ]
    left = [_held(as_said("The user", kept, chinese=False), SAYS, one.said_at, one.id.int + 1) for one, kept in rest]
    return [one for one in held if one not in gone] + left


def _kept(turn: LabelledTurn, said: Sequence[Candidate], at: datetime, count: int) -> Iterator[Held]:
    """Yield what is held of a turn: what the rules found, and each sentence with a fact that they missed."""
    kept = [one for one in said if one.confidence >= SURE_ENOUGH and not one.only_if_met]
    texts = [(one.text, one.predicate, one.stance) for one in kept]
    for words in turn.facts:
        if not any(fits(text, words) for text, _, _ in texts):
            lines = [turn.content[start:end] for start, end in sentences(turn.content)]
            texts += [
                (as_said("The user", line.strip(), chinese=False), SAYS, Stance.HOLDS)
                for line in lines
                if fits(line, words)
            ]
    for text, predicate, stance in texts:
        count += 2
        yield _held(text, predicate, at, int(at.timestamp()) * 1000 + count, stance)


def _held(text: str, predicate: str, at: datetime, number: int, stance: Stance = Stance.HOLDS) -> Held:
    return Held(
        id=UUID(int=number), text=text, predicate=predicate, slot=None, key="", stance=stance, valid_from=at,
        said_at=at, confidence=0.8, frequency=1, source="user",
    )  # fmt: skip


def _figures(read: Sequence[Pair], weights: Mapping[str, float]) -> str:
    sure = [likely(one.features, weights) >= SURE for one in read]
    meant = [one.meant for one in read]
    found = sum(one and other for one, other in zip(sure, meant, strict=True))
    return (
        f"{len(read)} pairs, {sum(meant)} of them meant; closed {sum(sure)}, "
        f"precision {found / max(1, sum(sure)):.3f}, recall {found / max(1, sum(meant)):.3f}"
    )


if __name__ == "__main__":
    sys.exit(main())
