"""Wordings: other search queries for a question, as a model proposes them: text to search by, and no more."""

from collections.abc import Mapping
from typing import Any

import regex

from backends.llms.answers import Unreadable, object_in

LENGTH_MAX = 200
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["queries"],
    "properties": {"queries": {"type": "array", "items": {"type": "string"}}},
}
_BLANK = regex.compile(r"[\s\p{C}]+")
_WORD = regex.compile(r"[\p{L}\p{N}]")


def wordings_of(answer: str, question: str, *, at_most: int) -> tuple[str, ...]:
    """Return the queries of a model's answer, without repeats and the question.

    Raises Unreadable.
    """
    queries = object_in(answer).get("queries")
    if not isinstance(queries, list) or not all(isinstance(query, str) for query in queries):
        raise Unreadable("it has no list of texts named queries")
    found: dict[str, str] = {}
    known = _plain(question).casefold()
    for query in queries:
        plain = _plain(query)
        if _WORD.search(plain) and len(plain) <= LENGTH_MAX and plain.casefold() != known:
            found.setdefault(plain.casefold(), plain)
    return tuple(found.values())[:at_most]


def _plain(text: str) -> str:
    """Return a text on one line, without signs that nobody sees."""
    return _BLANK.sub(" ", text).strip()
