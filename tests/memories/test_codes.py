"""A question that is nothing but a code."""

import pytest

from memories.weights import MEANING_OF_CODES, is_nothing_but_a_code, weights_for
from tenants.policy import DEFAULT


@pytest.mark.parametrize(
    "query", ["ERR-4821-X", "SF1234567890123", "v2.3.11", "10.0.4.17", "NGC_536.40:U8", "MD/300/69-R", " 0x7ffe12ab "]
)
def test_a_code_is_looked_for_by_its_words(query: str) -> None:
    assert is_nothing_but_a_code(query)
    weights, usual = weights_for(DEFAULT, "assistant", query=query), weights_for(DEFAULT, "assistant", query="why?")
    assert weights.dense == pytest.approx(MEANING_OF_CODES * usual.dense)
    assert weights.late == pytest.approx(MEANING_OF_CODES * usual.late)
    assert weights.rare == usual.rare


@pytest.mark.parametrize(
    "query", ["", "  ", "2023", "4 pm", "What is ERR-4821-X?", "订单号SF1234567890123", "zebrafinch"]
)
def test_words_and_short_numbers_are_no_code(query: str) -> None:
    assert not is_nothing_but_a_code(query)
