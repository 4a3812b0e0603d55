"""Asking for every literal, bare and in sentences, at several lengths of the answer."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.rare_literals.literals import Literal

TOP_K = (1, 3, 10, 50)
IN_A_SENTENCE = (10, 50)
"""A sentence asks for the record among ten."""
BARE = "bare"

Recall = Callable[[str, int], Sequence[str]]
"""A question and top_k -> the texts recalled, best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One literal asked for in one way. ranks: top_k -> that of its record; None = not among them."""

    literal: Literal
    way: str
    question: str
    ranks: Mapping[int, int | None]


def ask_all(literals: Sequence[Literal], recall: Recall) -> list[Asked]:
    """Ask for each literal by itself, and in a sentence of each language."""
    asked = []
    for literal in literals:
        ways = {BARE: literal.code, **{f"in {one.value}": text for one, text in literal.questions.items()}}
        asked += [_ask(literal, way, question, recall) for way, question in ways.items()]
    return asked


def missed(asked: Sequence[Asked]) -> list[Asked]:
    """Return what fell short at any top_k: bare not first, in a sentence not among ten."""
    return [one for one in asked if not all(_suffices(one.way, *both) for both in one.ranks.items())]


def table(asked: Sequence[Asked]) -> str:
    """Return the share of records that came first, and among the first ten, by way and top_k."""
    rows = ["| asked | top_k | n | hit@1 | hit@10 |", "| --- | --- | --- | --- | --- |"]
    ways: defaultdict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        ways[one.way].append(one)
    for way, those in ways.items():
        for top_k in those[0].ranks:
            ranks = [one.ranks[top_k] or top_k + 1 for one in those]
            first, ten = (sum(rank <= min(k, top_k) for rank in ranks) / len(ranks) for k in (1, 10))
            rows.append(f"| {way} | {top_k} | {len(those)} | {first:.2f} | {ten:.2f} |")
    return "\n".join(rows)


def _ask(literal: Literal, way: str, question: str, recall: Recall) -> Asked:
    answers = {top_k: list(recall(question, top_k)) for top_k in (TOP_K if way == BARE else IN_A_SENTENCE)}
    return Asked(
        literal=literal,
        way=way,
        question=question,
        ranks={top_k: _rank(literal.record, answer) for top_k, answer in answers.items()},
    )


def _rank(record: str, answer: Sequence[str]) -> int | None:
    return answer.index(record) + 1 if record in answer else None


def _suffices(way: str, top_k: int, rank: int | None) -> bool:
    if way == BARE:
        return rank == 1
    return top_k < 10 or (rank is not None and rank <= 10)
