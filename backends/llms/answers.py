"""What a model answers, read: the JSON object in it, asked for once more where there is none."""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from backends.llms.base import LLM, Completion

Read = TypeVar("Read")


class Unreadable(Exception):
    """The answer is no JSON of the form that was asked for."""


def object_in(answer: str) -> Mapping[str, Any]:
    """Return the JSON object of an answer, which may stand in talk or a fence. Raises Unreadable, saying why."""
    start, end = answer.find("{"), answer.rfind("}")
    if start < 0 or end < start:
        raise Unreadable("there is no JSON object in the answer")
    try:
        read = json.loads(answer[start : end + 1])
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is no JSON: {type(error).__name__}") from error
    if not isinstance(read, dict):
        raise Unreadable("it is no JSON object")
    return read


def asked_twice(
    llm: LLM,
    system: str,
    asked: str,
    *,
    schema: Mapping[str, Any],
    read: Callable[[str], Read],
    answers: list[Completion],
) -> Read:
    """Return what is read in a model's answer; it is asked once more, and told why, where nothing can be.

    read: raises Unreadable. answers: every answer is added to it, whatever becomes of the call.
    Raises Unreadable, when the second answer is no better; Unavailable, Rejected or Refused, as the model does.
    """
    answers.append(llm.complete(system, asked, schema=schema))
    try:
        return read(answers[-1].text)
    except Unreadable as fault:
        again = f"{asked}\n\nYour answer could not be used: {fault}. Answer with the JSON object alone."
        answers.append(llm.complete(system, again, schema=schema))
        return read(answers[-1].text)
