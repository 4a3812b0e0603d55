"""Note that words of a tenant's users went to a language model: that is a disclosure."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.conf import settings

from backends.llms.base import LLM, Completion
from memories.metrics import count_asked
from memories.services.cost import cost_of, money
from tenants.models import Subject
from tenants.scope import Scope
from tenants.services.note_event import note_event

METHOD_MAX_LENGTH = 64
"""Of Source.method."""


def method_of(llm: LLM, prompt: str) -> str:
    """Return the name under which what a model found with a prompt is kept, and its disclosure noted."""
    return f"{llm.model}/{prompt}"[:METHOD_MAX_LENGTH]


def note_asked(
    scope: Scope,
    answers: Sequence[Completion],
    *,
    method: str,
    provider: str,
    code: str,
    object_ids: Sequence[UUID] = (),
    subject: Subject | None,
    now: datetime,
) -> None:
    """Note one disclosure. The scope is open.

    answers: none, where the model was away. code: why nothing came of it; empty where something did.
    object_ids: the turns, or the recall, whose words were sent, and the run that sent them.
    """
    prompt_tokens = sum(answer.prompt_tokens for answer in answers)
    completion_tokens = sum(answer.completion_tokens for answer in answers)
    cost = cost_of(answers)
    count_asked(
        ended=code or "answered",
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        cost=cost,
        currency=settings.LLM_CURRENCY,
    )
    note_event(
        scope,
        "model.asked",
        object_ids=list(object_ids),
        subject=subject,
        data={
            "model": method,
            "provider": provider,
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "cost": money(cost),
            "currency": settings.LLM_CURRENCY if cost is not None else "",
            "calls": max(len(answers), 1),
            "code": code,
        },
        now=now,
    )
