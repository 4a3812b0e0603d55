"""From text to terms: what is kept, what is folded together, and what a question drops."""

import threading
import time

import pytest

from backends.search import analysis
from backends.search.analysis import question_stops, question_terms, terms
from backends.search.words import NEWER_STEMS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Otters were SWIMMING", ["otter", "were", "swim"]),
        ("Caroline's sister’s café", ["carolin", "sister", "café"]),
        ("it is not on the list", ["list"]),
        ("E-4012 and ORD-2026-00317", ["e", "4012", "ord", "2026", "00317"]),
        ("version 2.3.1 costs 1,000.50", ["version", "2.3.1", "cost", "1,000.50"]),
        ("snake_case __init__", ["snake_cas", "__init__"]),
        ("我喜欢绿色", ["我喜", "喜欢", "欢绿", "绿色"]),
        ("用iPhone看书，好", ["用", "iphon", "看书", "好"]),
        ("カタカナ ｶﾞｽ 한국어", ["カタ", "タカ", "カナ", "ガス", "한국", "국어"]),
        ("กินข้าว๒๕", ["กิ", "ิน", "นข", "ข้", "้า", "าว", "๒๕"]),
        ("ก กpizzaข", ["ก", "ก", "pizza", "ข"]),
        ("ພາສາ\u200bລາວ", ["ພາ", "າສ", "ສາ", "ລາ", "າວ"]),
        ("ရေ ខ្មែរ", ["ရေ", "ខ្", "្ម", "មែ", "ែរ"]),
        ("ＡＢＣ１２３", ["abc123"]),
        ("thanks 👍🏽 👨‍👩‍👧", ["thank", "👍🏽", "👨‍👩‍👧"]),
        ("İstanbul ΟΔΟΣ Straße", ["istanbul", "οδοσ", "straße"]),
        ("", []),
        (" …—!?\n\x00", []),
    ],
)
def test_text_becomes_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_terms_come_in_order_as_often_as_they_are_said() -> None:
    assert terms("otter heron otters") == ["otter", "heron", "otter"]


def test_a_question_drops_its_question_words_and_what_it_says_twice() -> None:
    assert question_terms("When did the otter see the other otters?") == ["otter", "see", "other"]
    assert question_terms("小明什么时候去杭州") == ["小明", "明什", "时候", "候去", "去杭", "杭州"]


def test_the_words_that_mark_who_speaks_are_kept() -> None:
    assert question_terms("What do I tell you and me, we ask my") == ["i", "tell", "you", "me", "we", "ask", "my"]


def test_a_question_of_question_words_alone_keeps_them() -> None:
    assert question_terms("what did they do?") == ["what", "did", "do"]
    assert question_terms("?") == []


def test_dropped_words_are_stems() -> None:
    assert {"mani", "ani", "doe", "什么"} <= question_stops()
    assert "does" not in question_stops()


@pytest.mark.parametrize(("stem", "words"), NEWER_STEMS.items())
def test_the_stems_told_to_older_engines_are_ours(stem: str, words: str) -> None:
    assert terms(words) == [stem] * len(words.split())


def test_a_long_word_is_cut_into_pieces_an_engine_can_keep() -> None:
    assert [len(term) for term in terms("x" * 600)] == [255, 255, 90]


@pytest.mark.parametrize("unit", ["_", "\u200d", "_\u0301", "a'", "1,", "a_", 'א"', "😀\u200d", "#\u0301", "🏽", "_ั"])
def test_no_text_takes_longer_than_its_length_warrants(unit: str) -> None:
    started = time.perf_counter()
    terms(unit * 20_000)
    assert time.perf_counter() - started < 5


def test_threads_share_the_stemmer_without_harm() -> None:
    words = [f"running{number} organizations{number} generously{number}" for number in range(3_000)]
    expected = [terms(text) for text in words]
    analysis.stem.cache_clear()
    found: list[list[list[str]]] = []
    threads = [threading.Thread(target=lambda: found.append([terms(text) for text in words])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4
