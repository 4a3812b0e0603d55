"""A saying is told from other texts, whoever said it."""

import pytest

from memories.sayings import as_said, is_saying, words_of_saying


@pytest.mark.parametrize("chinese", [False, True])
@pytest.mark.parametrize(
    "who",
    [
        "The user",
        "用户",
        "Dr: Bob",
        "王：明",
        "A" * 128,
        "Bob\nthe builder",
        ":",
        "Ann said: Bob",
        "a b " * 32,
        "张" * 79 + ":x",
    ],
)
def test_a_text_is_read_as_it_was_made(who: str, chinese: bool) -> None:
    for words in ("I live here", "he said: no", "住在这里：三楼"):
        text = as_said(who, words, chinese=chinese)
        assert is_saying(text)
        assert words_of_saying(text) == words


def test_a_plain_name_stands_as_it_is() -> None:
    assert as_said("Bob", "I live here", chinese=False) == "Bob said: I live here"
