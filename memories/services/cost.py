"""Cost: what answers of the language model cost in money, by the site's prices."""

from collections.abc import Sequence
from decimal import Decimal

from django.conf import settings

from backends.llms.base import Completion

MILLION = 1_000_000
PLACES = Decimal("0.000000001")


def cost_of(answers: Sequence[Completion]) -> Decimal | None:
    """Return what answers cost in LLM_CURRENCY; None = unknown: there is no price, or the server counts no tokens."""
    prompt, completion = settings.LLM_PRICE_PROMPT, settings.LLM_PRICE_COMPLETION
    if prompt is None or completion is None or not answers:
        return None
    if any(not answer.prompt_tokens and not answer.completion_tokens for answer in answers):
        return None
    cost = sum(answer.prompt_tokens * prompt + answer.completion_tokens * completion for answer in answers)
    return (Decimal(cost) / MILLION).quantize(PLACES)


def money(cost: Decimal | None) -> str | None:
    """Return an amount as it is shown, without noughts at its end; None = unknown."""
    return None if cost is None else format(cost.normalize(), "f")
