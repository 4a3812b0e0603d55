from collections.abc import Sequence

from benchmarks.rare_literals.asking import TOP_K, ask_all, missed, table
from benchmarks.rare_literals.literals import KINDS, TARGETS_A_KIND, make_records

RECORDS = make_records(400, seed=5)


def test_each_literal_is_in_one_record_and_the_same_each_time() -> None:
    assert len(RECORDS.texts) == len(set(RECORDS.texts)) == 400
    assert len(RECORDS.literals) == len(KINDS) * TARGETS_A_KIND
    for literal in RECORDS.literals:
        assert [text for text in RECORDS.texts if literal.code in text] == [literal.record]
        assert all(literal.code in question for question in literal.questions.values())
    assert make_records(400, seed=5) == RECORDS


def test_a_perfect_recall_misses_nothing() -> None:
    def recall(question: str, top_k: int) -> Sequence[str]:
        return sorted(RECORDS.texts, key=lambda text: not _meant(question, text))[:top_k]

    asked = ask_all(RECORDS.literals, recall)
    assert missed(asked) == []
    assert "| bare | 1 | 50 | 1.00 | 1.00 |" in table(asked)


def test_what_comes_second_or_in_another_order_is_missed() -> None:
    def second(question: str, top_k: int) -> Sequence[str]:
        best = sorted(RECORDS.texts, key=lambda text: not _meant(question, text))
        return [best[1], best[0], *best[2:]][:top_k]

    def unsteady(question: str, top_k: int) -> Sequence[str]:
        best = sorted(RECORDS.texts, key=lambda text: not _meant(question, text))
        return best[:top_k] if top_k < max(TOP_K) else [best[0], *best[:0:-1]][:top_k]

    assert {one.way for one in missed(ask_all(RECORDS.literals, second))} == {"bare"}
    assert len(missed(ask_all(RECORDS.literals[:1], unsteady))) == 3


def _meant(question: str, text: str) -> bool:
    return any(literal.code in question and literal.record == text for literal in RECORDS.literals)
