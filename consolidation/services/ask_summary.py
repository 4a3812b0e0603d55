"""Ask the model for a summary; what it says is taken only where the turns have its names, numbers and words."""

import json
import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from backends.errors import BackendError
from backends.llms.answers import Unreadable, object_in
from backends.llms.base import LLM, Completion
from backends.search.analysis import terms
from consolidation.prompts import SUMMARISE, prompt
from consolidation.rules.ground import says_no_more
from consolidation.rules.summary import Line, Summary
from memories.instructions import instructs
from memories.services.note_asked import method_of, note_asked
from tenants.models import Subject
from tenants.scope import Scope
from tenants.services.open_scope import open_scope
from tenants.services.policy_of import policy_of

log = logging.getLogger(__name__)

TURN_MAX_CHARACTERS = 2_000
SUMMARY_MAX_LENGTH = 1_500
OWN_WORDS = 0.6
"""Which part of a summary's terms must stand in the turns. Set by us: names and numbers all must."""
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["summary"],
    "properties": {"summary": {"type": "string"}},
}


def ask_summary(
    scope: Scope,
    lines: Sequence[Line],
    turn_ids: Sequence[UUID],
    plain: Summary,
    llm: LLM | None,
    *,
    now: datetime,
) -> Summary | None:
    """Return the model's summary; None, where there is no model, the policy forbids it, or it cannot be believed.

    plain: what the rules made, whose spans it keeps. What was sent is noted, for that is a disclosure.
    """
    if llm is None:
        return None
    with open_scope(scope):
        if not policy_of()["consolidation.external_model"]:
            return None
    days = [f"{line.occurred_at.astimezone(UTC):%Y-%m-%d}" for line in lines]
    turns = [
        {"day": day, "who": line.author, "said": line.content[:TURN_MAX_CHARACTERS]}
        for day, line in zip(days, lines, strict=True)
    ]
    code, answers, text = "", list[Completion](), None
    try:
        answers.append(
            llm.complete(prompt(SUMMARISE), json.dumps({"turns": turns}, ensure_ascii=False), schema=SCHEMA)
        )
        text = grounded_summary(answers[-1].text, [*(line.content for line in lines), *days, *_authors(lines)])
        code = "" if text else "ungrounded"
    except BackendError as error:
        code = type(error).__name__.lower()
    method = method_of(llm, SUMMARISE)
    if code:
        log.warning("a summary is made by rules alone: %s", code)
    with open_scope(scope):
        subject = Subject.objects.filter(id=scope.subject_id).first() if scope.subject_id else None
        note_asked(
            scope,
            answers,
            method=method,
            provider=llm.provider,
            code=code,
            object_ids=turn_ids,
            subject=subject,
            now=now,
        )
    if text is None:
        return None
    whole = tuple((index, 0, len(line.content)) for index, line in enumerate(lines) if line.content)
    return Summary(text=text, spans=whole or plain.spans, method=method)


def grounded_summary(answer: str, said: Sequence[str]) -> str | None:
    """Return the summary in a model's answer, if what was said has its names, its numbers and most of its words."""
    try:
        text = object_in(answer).get("summary")
    except Unreadable:
        return None
    if not isinstance(text, str) or not text.strip() or len(text) > SUMMARY_MAX_LENGTH or instructs(text):
        return None
    text = " ".join(text.split())
    everything = "\n".join(said)
    own = set(terms(text))
    if not own or not says_no_more(text, everything):
        return None
    return text if len(own & set(terms(everything))) / len(own) >= OWN_WORDS else None


def _authors(lines: Sequence[Line]) -> list[str]:
    return sorted({line.author for line in lines})
