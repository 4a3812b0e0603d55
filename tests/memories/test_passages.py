"""Where a long text is cut."""

import itertools
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.passages import LONG, PASSAGE_MAX_LENGTH, WIDE, passages

ENGLISH = "The ledger lists each invoice by supplier. The accountant compares it with the statement, line by line! "
CHINESE = "季度账目按供应商列出每一张发票，会计再把它与银行对账单逐条核对。"


def weight(text: str) -> float:
    """Return how much of a passage's room a text takes."""
    return sum(WIDE if unicodedata.east_asian_width(one) in "WF" else 1.0 for one in text)


def parts(text: str) -> list[str]:
    """Return the passages of a text."""
    return [text[start:end] for start, end in passages(text)]


@given(st.text(min_size=1, max_size=60), st.integers(min_value=1, max_value=200))
def test_all_of_a_long_text_is_covered_once_and_no_passage_is_too_long(piece: str, times: int) -> None:
    text = piece * times
    spans = passages(text)
    if len(text) <= LONG:
        assert spans == []
        return
    assert spans[0][0] == 0
    assert spans[-1][1] == len(text)
    assert all(end == start for (_, end), (start, _) in itertools.pairwise(spans))
    assert all(start < end and weight(text[start:end]) <= PASSAGE_MAX_LENGTH for start, end in spans)


@pytest.mark.parametrize("text", ["", "x" * LONG, ENGLISH * 9])
def test_what_is_not_long_has_none(text: str) -> None:
    assert passages(text) == []


def test_sentences_stay_whole_in_both_languages() -> None:
    for part in parts(ENGLISH * 40):
        assert part.rstrip()[-1] in ".!"
        assert len(part) > PASSAGE_MAX_LENGTH / 4
    for part in parts(CHINESE * 80):
        assert part.endswith("。")
        assert len(part) <= PASSAGE_MAX_LENGTH / WIDE


def test_paragraphs_are_the_better_border() -> None:
    paragraph = (ENGLISH * 6).strip()
    assert parts("\n\n".join([paragraph] * 5)) == [*[f"{paragraph}\n\n"] * 4, paragraph]


def test_words_stay_whole_where_there_is_no_sentence() -> None:
    assert all(set(part.split()) == {"invoice"} for part in parts("invoice " * 300))


def test_no_letter_is_cut_from_its_marks() -> None:
    for letter in ("e\u0301", "👩\u200d🔬", "👍🏽"):
        assert all(not unicodedata.combining(part[0]) and part[0] not in "\u200d🏽" for part in parts(letter * 900))


def test_no_scrap_is_left_over() -> None:
    for length in range(LONG + 1, 4_000, 97):
        assert min(len(part) for part in parts(("word " * 1_000)[:length])) > PASSAGE_MAX_LENGTH / 4, length
