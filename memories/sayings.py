"""Sayings: facts kept in their speaker's own words, and how such a text is told from others."""

import regex

_SAID = regex.compile(r"^(?P<who>[^:：\n]{1,80}?)(?: said: |说：)(?=\S)")


def as_said(who: str, words: str, *, chinese: bool) -> str:
    """Return the text of a saying."""
    return f"{who}说：{words}" if chinese else f"{who} said: {words}"


def words_of_saying(text: str) -> str:
    """Return what was said, of a saying; any other text as it is."""
    return _SAID.sub("", text, count=1)


def is_saying(text: str) -> bool:
    """Say whether a text has the form of a saying."""
    return _SAID.match(text) is not None
