"""The same questions asked twice: how many answers differ, and by how much."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """questions: asked. first, ten, all_ranks: questions whose first, ten first, or any ranks differ.

    kept_of_ten: mean share of the first ten that are still among them. score: the largest change of a hit's score.
    """

    questions: int
    first: int
    ten: int
    all_ranks: int
    kept_of_ten: float
    score: float


def compared(before: Sequence[Answer], after: Sequence[Answer]) -> Difference:
    """Compare answers to the same questions in the same order."""
    pairs = [(_ranked(one), _ranked(other)) for one, other in zip(before, after, strict=True)]
    changes = [
        abs(scores[key] - others[key])
        for scores, others in ((dict(one), dict(other)) for one, other in pairs)
        for key in scores.keys() & others.keys()
    ]
    kept = [len({*_ids(one, 10)} & {*_ids(other, 10)}) / max(1, len(_ids(one, 10))) for one, other in pairs]
    return Difference(
        questions=len(pairs),
        first=sum(_ids(one, 1) != _ids(other, 1) for one, other in pairs),
        ten=sum(_ids(one, 10) != _ids(other, 10) for one, other in pairs),
        all_ranks=sum(_ids(one, None) != _ids(other, None) for one, other in pairs),
        kept_of_ten=sum(kept) / max(1, len(kept)),
        score=max(changes, default=0.0),
    )


def table(found: Mapping[str, Difference]) -> str:
    """Return the differences as a table."""
    lines = [
        "| asked | n | first differs | ten differ | any rank differs | kept of ten | score changes by at most |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, one in found.items():
        lines.append(
            f"| {name} | {one.questions} | {one.first} | {one.ten} | {one.all_ranks} | {one.kept_of_ten:.3f}"
            f" | {one.score:.6f} |"
        )
    return "\n".join(lines)


def _ranked(answer: Answer) -> list[tuple[str, float]]:
    return [(hit["memory_id"], float(hit["score"])) for hit in answer["results"]]


def _ids(ranked: Sequence[tuple[str, float]], first: int | None) -> list[str]:
    return [memory_id for memory_id, _ in ranked[:first]]
