"""Asking for every literal, bare and in sentences, at several lengths of the answer."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.rare_literals.literals import Literal

TOP_K = (1, 3, 10, 50)

Recall = Callable[[str, int], Sequence[str]]
"""A question and top_k -> the texts recalled, best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One literal asked for in one way. rank: of its record at each top_k; None = not among them.

    steady: whether a shorter answer is the beginning of the longest.
    """

    literal: Literal
    way: str
    question: str
    ranks: tuple[int | None, ...]
    steady: bool


def ask_all(literals: Sequence[Literal], recall: Recall) -> list[Asked]:
    """Ask for each literal by itself, and in a sentence of each language."""
    asked = []
    for literal in literals:
        ways = {"bare": literal.code, **{f"in {one.value}": text for one, text in literal.questions.items()}}
        asked += [_ask(literal, way, question, recall) for way, question in ways.items()]
    return asked


def missed(asked: Sequence[Asked]) -> list[Asked]:
    """Return what fell short: not first, in a sentence not among ten, or in another order at another top_k."""
    return [one for one in asked if not one.steady or not all(map(_suffices(one.way), TOP_K, one.ranks))]


def table(asked: Sequence[Asked]) -> str:
    """Return the share of records that came first, and among the first ten, by way and top_k."""
    rows = ["| asked | top_k | n | hit@1 | hit@10 |", "| --- | --- | --- | --- | --- |"]
    ways: defaultdict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        ways[one.way].append(one)
    for way, those in ways.items():
        for place, top_k in enumerate(TOP_K):
            ranks = [one.ranks[place] or top_k + 1 for one in those]
            first, ten = (sum(rank <= min(k, top_k) for rank in ranks) / len(ranks) for k in (1, 10))
            rows.append(f"| {way} | {top_k} | {len(those)} | {first:.2f} | {ten:.2f} |")
    return "\n".join(rows)


def _ask(literal: Literal, way: str, question: str, recall: Recall) -> Asked:
    answers = [list(recall(question, top_k)) for top_k in TOP_K]
    return Asked(
        literal=literal,
        way=way,
        question=question,
        ranks=tuple(_rank(literal.record, answer) for answer in answers),
        steady=all(answer == answers[-1][: len(answer)] for answer in answers),
    )


def _rank(record: str, answer: Sequence[str]) -> int | None:
    return answer.index(record) + 1 if record in answer else None


def _suffices(way: str) -> Callable[[int, int | None], bool]:
    def suffices(top_k: int, rank: int | None) -> bool:
        if way == "bare":
            return rank == 1
        return top_k < 10 or (rank is not None and rank <= 10)

    return suffices
