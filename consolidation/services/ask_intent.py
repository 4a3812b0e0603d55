"""Ask the model what a text asks of the memory; only words of the text itself come of it."""

import json
import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from backends.errors import BackendError
from backends.llms.answers import Unreadable, asked_twice, object_in
from backends.llms.base import LLM, Completion
from consolidation.prompts import INTENT, prompt
from consolidation.rules.intents.asked import Asked, Verb
from memories.instructions import instructs
from memories.services.note_asked import method_of, note_asked
from tenants.models import Subject
from tenants.scope import Scope
from tenants.services.find_subject import find_subject
from tenants.services.open_scope import open_scope
from tenants.services.policy_of import policy_of

log = logging.getLogger(__name__)
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


def ask_intent(scope: Scope, user_id: str | None, text: str, llm: LLM | None, *, now: datetime) -> Asked:
    """Return what the model reads in a text; UNCLEAR without one, where the policy forbids it, or for nonsense.

    The call is in no transaction. A text that instructs the memory is not asked about.
    """
    if llm is None or instructs(text):
        return NOTHING
    with open_scope(scope):
        if not policy_of()["consolidation.external_model"]:
            return NOTHING
    method, answers, code, asked = method_of(llm, INTENT), list[Completion](), "", NOTHING
    sent = json.dumps({"text": text}, ensure_ascii=False)
    try:
        asked = asked_twice(
            llm, prompt(INTENT), sent, schema=SCHEMA, read=lambda answer: _grounded(answer, text), answers=answers
        )
    except Unreadable:
        code = "unreadable"
    except BackendError as error:
        code = type(error).__name__.lower()
    if code:
        log.warning("an intent stays unclear: the model is %s", code)
    with open_scope(scope):
        subject = _subject(scope, user_id)
        note_asked(scope, answers, method=method, provider=llm.provider, code=code, subject=subject, now=now)
    if asked.verb is Verb.UNCLEAR:
        return NOTHING
    return Asked(verb=asked.verb, about=asked.about, statement=asked.statement, explicit=True, method=method)


def _grounded(answer: str, text: str) -> Asked:
    """Return an answer whose words are the text's. Raises Unreadable, saying why."""
    read = object_in(answer)
    if not all(isinstance(read.get(name), str) for name in SCHEMA["required"]):
        raise Unreadable("it has no verb, about and statement, each a string")
    if read["verb"] not in set(Verb):
        raise Unreadable("its verb is none of those")
    about, statement = read["about"].strip(), read["statement"].strip()
    if any(words.casefold() not in text.casefold() for words in (about, statement)):
        raise Unreadable("about and statement must be copied from the text")
    verb = Verb(read["verb"])
    needed = {Verb.RETRIEVE: about, Verb.FORGET: about, Verb.STORE: statement, Verb.UPDATE: about and statement}
    return Asked(verb=verb, about=about, statement=statement) if needed.get(verb) else NOTHING


def _subject(scope: Scope, user_id: str | None) -> Subject | None:
    """Return whose words were sent; None for a user who is not known yet."""
    try:
        return find_subject(scope, user_id)
    except Subject.DoesNotExist:
        return None
