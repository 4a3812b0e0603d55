"""Sayings: facts kept in their speaker's own words, and how such a text is told from others."""

import regex

NAME_MAX_LENGTH = 80
"""Of a speaker, in a saying; the whole name is with the turn."""
_SAID = regex.compile(rf"^(?P<who>[^:：\n]{{1,{NAME_MAX_LENGTH}}}?)(?: said: |说：)(?=\S)")
_ENDS_NAME = regex.compile(r"[:：\s]+")


def as_said(who: str, words: str, *, chinese: bool) -> str:
    """Return the text of a saying; of who said it, what cannot be taken for its end."""
    name = _ENDS_NAME.sub(" ", who).strip()[:NAME_MAX_LENGTH].rstrip() or ("有人" if chinese else "Somebody")
    return f"{name}说：{words}" if chinese else f"{name} said: {words}"


def words_of_saying(text: str) -> str:
    """Return what was said, of a saying; any other text as it is."""
    return _SAID.sub("", text, count=1)


def is_saying(text: str) -> bool:
    """Say whether a text has the form of a saying."""
    return _SAID.match(text) is not None
