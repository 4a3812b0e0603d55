"""Ask the model for a summary; what it says is taken only where the turns have its names, numbers and words."""

import json
import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from backends.errors import BackendError
from backends.llms.base import LLM, Completion
from backends.search.analysis import terms
from consolidation.prompts import SUMMARISE, prompt
from consolidation.rules.ground import says_no_more
from consolidation.rules.summary import Line, Summary
from memories.instructions import instructs
from tenants.models import Subject
from tenants.scope import Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope
from tenants.services.policy_of import policy_of

log = logging.getLogger(__name__)

TURN_MAX_CHARACTERS = 2_000
SUMMARY_MAX_LENGTH = 1_500
OWN_WORDS = 0.6
"""Which part of a summary's terms must stand in the turns. Set by us: names and numbers all must."""
METHOD_MAX_LENGTH = 64
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
    code, answer = "", None
    try:
        answer = llm.complete(prompt(SUMMARISE), json.dumps({"turns": turns}, ensure_ascii=False), schema=SCHEMA)
        text = grounded_summary(answer.text, [*(line.content for line in lines), *days, *_authors(lines)])
        code = "" if text else "ungrounded"
    except BackendError as error:
        code, text = type(error).__name__.lower(), None
    method = f"{llm.model}/{SUMMARISE}"[:METHOD_MAX_LENGTH]
    if code:
        log.warning("a summary is made by rules alone: %s", code)
    _note(scope, turn_ids, answer, method=method, code=code, now=now)
    if text is None:
        return None
    whole = tuple((index, 0, len(line.content)) for index, line in enumerate(lines) if line.content)
    return Summary(text=text, spans=whole or plain.spans, method=method)


def grounded_summary(answer: str, said: Sequence[str]) -> str | None:
    """Return the summary in a model's answer, if what was said has its names, its numbers and most of its words."""
    try:
        read = json.loads(answer[answer.find("{") : answer.rfind("}") + 1])
    except (ValueError, RecursionError):
        return None
    text = read.get("summary") if isinstance(read, dict) else None
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


def _note(
    scope: Scope, turn_ids: Sequence[UUID], answer: Completion | None, *, method: str, code: str, now: datetime
) -> None:
    with open_scope(scope):
        note_event(
            scope,
            "model.asked",
            object_ids=list(turn_ids),
            subject=Subject.objects.filter(id=scope.subject_id).first() if scope.subject_id else None,
            data={
                "model": method,
                "prompt_tokens": answer.prompt_tokens if answer else 0,
                "completion_tokens": answer.completion_tokens if answer else 0,
                "calls": 1,
                "code": code,
            },
            now=now,
        )
