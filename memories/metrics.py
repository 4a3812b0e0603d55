"""What is counted while memories are recalled and brought to the engine; memory_site.metrics shows it.

Labels are names of steps, states and parts of ours: no tenant, no user, no text.
"""

from decimal import Decimal

from prometheus_client import Counter

SYNC_PASSES = Counter("mneme_sync_passes", "Passes of sync and embed that found something due.", ["step"])
SYNC_ENTRIES = Counter(
    "mneme_sync_entries", "Documents that passes dealt with, by how that ended.", ["step", "ended"]
)
DEGRADED = Counter("mneme_recall_degraded", "Recalls that did without a part, by part.", ["part"])
KEPT_ANSWERS = Counter(
    "mneme_recall_kept_answers", "Questions to the engine that a kept answer answered, or not.", ["found"]
)
FORGOTTEN = Counter("mneme_memories_forgotten", "Memories archived or deleted, by kind.", ["ended", "kind"])
TIER_HITS = Counter("mneme_recall_tier_hits", "Memories in answers, by tier: hot, warm or cold.", ["tier"])
LLM_CALLS = Counter("mneme_llm_calls", "Questions to the language model, by how they ended.", ["ended"])
LLM_TOKENS = Counter("mneme_llm_tokens", "Tokens given to the language model, and answered by it.", ["part"])
LLM_COST = Counter("mneme_llm_cost", "What the language model cost, where its prices are known.", ["currency"])
DRIFT = Counter("mneme_drift_documents", "Documents that the daily search for drift found, by sort.", ["sort"])


def count_pass(step: str, *, done: int, failed: int, given_up: int) -> None:
    """Count one pass of sync or embed. step: which. In entries: done, put off, and made dead letters."""
    SYNC_PASSES.labels(step).inc()
    for ended, entries in (("done", done), ("failed", failed), ("given_up", given_up)):
        SYNC_ENTRIES.labels(step, ended).inc(entries)


def count_asked(
    *, ended: str, prompt_tokens: int, completion_tokens: int, cost: Decimal | None, currency: str
) -> None:
    """Count one question to the language model. ended: answered, or the code of why nothing came of it."""
    LLM_CALLS.labels(ended).inc()
    LLM_TOKENS.labels("prompt").inc(prompt_tokens)
    LLM_TOKENS.labels("completion").inc(completion_tokens)
    if cost is not None:
        LLM_COST.labels(currency).inc(float(cost))
