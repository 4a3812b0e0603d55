"""Ask the model what a text asks of the memory; only words of the text itself come of it."""

import json
import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from backends.errors import BackendError
from backends.llms.base import LLM, Completion
from consolidation.prompts import INTENT, prompt
from consolidation.rules.intents.asked import Asked, Verb
from memories.instructions import instructs
from tenants.models import Subject
from tenants.scope import Scope
from tenants.services.find_subject import find_subject
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope
from tenants.services.policy_of import policy_of

log = logging.getLogger(__name__)
METHOD_MAX_LENGTH = 64
NOTHING = Asked(verb=Verb.UNCLEAR)
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["verb", "about", "statement"],
    "properties": {
        "verb": {"type": "string", "enum": [verb.value for verb in Verb]},
        "about": {"type": "string"},
        "statement": {"type": "string"},
    },
}


class _Unreadable(Exception):
    """The answer is no JSON of the form that was asked for."""


def ask_intent(scope: Scope, user_id: str | None, text: str, llm: LLM | None, *, now: datetime) -> Asked:
    """Return what the model reads in a text; UNCLEAR without one, where the policy forbids it, or for nonsense.

    The call is in no transaction. A text that instructs the memory is not asked about.
    """
    if llm is None or instructs(text):
        return NOTHING
    with open_scope(scope):
        if not policy_of()["consolidation.external_model"]:
            return NOTHING
    method, answers, code, asked = f"{llm.model}/{INTENT}"[:METHOD_MAX_LENGTH], list[Completion](), "", NOTHING
    try:
        asked = _read(llm, text, answers)
    except _Unreadable:
        code = "unreadable"
    except BackendError as error:
        code = type(error).__name__.lower()
    if code:
        log.warning("an intent stays unclear: the model is %s", code)
    _note(scope, user_id, answers, method=method, code=code, now=now)
    if asked.verb is Verb.UNCLEAR:
        return NOTHING
    return Asked(verb=asked.verb, about=asked.about, statement=asked.statement, explicit=True, method=method)


def _read(llm: LLM, text: str, answers: list[Completion]) -> Asked:
    system, sent = prompt(INTENT), json.dumps({"text": text}, ensure_ascii=False)
    answers.append(llm.complete(system, sent, schema=SCHEMA))
    try:
        return _grounded(answers[-1].text, text)
    except _Unreadable as fault:
        again = f"{sent}\n\nYour answer could not be used: {fault}. Answer with the JSON object alone."
        answers.append(llm.complete(system, again, schema=SCHEMA))
        return _grounded(answers[-1].text, text)


def _grounded(answer: str, text: str) -> Asked:
    """Return an answer whose words are the text's. Raises _Unreadable, saying why."""
    start, end = answer.find("{"), answer.rfind("}")
    try:
        read = json.loads(answer[start : end + 1]) if 0 <= start < end else None
    except (ValueError, RecursionError) as error:
        raise _Unreadable(f"it is no JSON: {type(error).__name__}") from error
    if not isinstance(read, dict) or not all(isinstance(read.get(name), str) for name in SCHEMA["required"]):
        raise _Unreadable("it has no verb, about and statement, each a string")
    if read["verb"] not in set(Verb):
        raise _Unreadable("its verb is none of those")
    about, statement = read["about"].strip(), read["statement"].strip()
    if any(words.casefold() not in text.casefold() for words in (about, statement)):
        raise _Unreadable("about and statement must be copied from the text")
    verb = Verb(read["verb"])
    needed = {Verb.RETRIEVE: about, Verb.FORGET: about, Verb.STORE: statement, Verb.UPDATE: about and statement}
    return Asked(verb=verb, about=about, statement=statement) if needed.get(verb) else NOTHING


def _note(
    scope: Scope, user_id: str | None, answers: list[Completion], *, method: str, code: str, now: datetime
) -> None:
    """Note that words went to the model: that is a disclosure."""
    with open_scope(scope):
        try:
            subject = find_subject(scope, user_id)
        except Subject.DoesNotExist:
            subject = None
        data: dict[str, str | int] = {
            "model": method,
            "prompt_tokens": sum(answer.prompt_tokens for answer in answers),
            "completion_tokens": sum(answer.completion_tokens for answer in answers),
            "calls": len(answers),
            "code": code,
        }
        note_event(scope, "model.asked", subject=subject, data=data, now=now)
