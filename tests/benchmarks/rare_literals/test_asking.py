from collections.abc import Sequence

from benchmarks.rare_literals.asking import ask_all, missed, table
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


def test_what_comes_second_suffices_in_a_sentence_only() -> None:
    def second(question: str, top_k: int) -> Sequence[str]:
        best = sorted(RECORDS.texts, key=lambda text: not _meant(question, text))
        return [best[1], best[0], *best[2:]][:top_k]

    found = missed(ask_all(RECORDS.literals, second))
    assert {one.way for one in found} == {"bare"}
    assert dict(found[0].ranks) == {1: None, 3: 2, 10: 2, 50: 2}


def test_what_comes_eleventh_is_missed_everywhere() -> None:
    def late(question: str, top_k: int) -> Sequence[str]:
        best = sorted(RECORDS.texts, key=lambda text: not _meant(question, text))
        return [*best[1:11], best[0]][:top_k]

    assert len(missed(ask_all(RECORDS.literals[:2], late))) == 6


def _meant(question: str, text: str) -> bool:
    return any(literal.code in question and literal.record == text for literal in RECORDS.literals)
