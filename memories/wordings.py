"""Wordings: other search queries for a question, as a model proposes them: text to search by, and no more."""

import json
from collections.abc import Mapping
from typing import Any

import regex

LENGTH_MAX = 200
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["queries"],
    "properties": {"queries": {"type": "array", "items": {"type": "string"}}},
}
_BLANK = regex.compile(r"[\s\p{C}]+")
_WORD = regex.compile(r"[\p{L}\p{N}]")


class Unreadable(Exception):
    """The answer is no JSON of the form that was asked for."""


def wordings_of(answer: str, question: str, *, at_most: int) -> tuple[str, ...]:
    """Return the queries of a model's answer, which may stand in talk or a fence, without repeats and the question.

    Raises Unreadable.
    """
    start, end = answer.find("{"), answer.rfind("}")
    if start < 0 or end < start:
        raise Unreadable("there is no JSON object in the answer")
    try:
        read = json.loads(answer[start : end + 1])
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is no JSON: {type(error).__name__}") from error
    queries = read.get("queries") if isinstance(read, dict) else None
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
