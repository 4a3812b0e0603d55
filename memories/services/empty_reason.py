"""Why an answer is empty."""

from collections.abc import Sequence
from datetime import datetime

from memories.models import Memory
from memories.services.question import Question
from memories.services.restricted import restricted
from tenants.scope import Scope


def empty_reason(
    scope: Scope,
    question: Question,
    kinds: Sequence[str],
    *,
    now: datetime,
) -> str:
    """Return why nothing was found although everything answered. The scope is open.

    nothing_stored, filtered (by what the question names), expired_or_superseded, or below_threshold: nothing that is
    stored came near.
    """
    if any(rows.exists() for rows in restricted(scope, question, kinds, now=now)):
        return "below_threshold"
    stored = Memory.objects.all() if question.include_shared else Memory.objects.filter(subject__isnull=False)
    if not stored.exists():
        return "nothing_stored"
    if question.filters or question.memory_types or question.valid_at or question.as_of:
        return "filtered"
    return "expired_or_superseded"
