"""Words: what was said, without who said it."""

import regex

_WHO = regex.compile(r"^[^:：]{1,80}?(?: said: |说：)")


def words_of_saying(text: str) -> str:
    """Return the words of a saying's text."""
    return _WHO.sub("", text, count=1)
