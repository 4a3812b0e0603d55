"""Log a recall, so that it can be replayed, asked again and compared."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from uuid import UUID

from backends.search.filter_json import written
from memories.models import RecallLog
from memories.services.packed_ranking import Kept, pack
from memories.services.prepare_recall import NOBODY, Prepared
from memories.services.question import Question


def log_recall(
    prepared: Prepared,
    question: Question,
    kept: Kept,
    result_ids: Sequence[UUID],
    *,
    recall_id: UUID,
    reason: str | None,
    degraded: Sequence[str],
    engine: str,
    model: str,
    took_ms: Mapping[str, float],
    now: datetime,
) -> None:
    """Keep one recall, unless the policy keeps none. The scope is open.

    A question for a user whom nobody knows yet is not kept: no erasure would find it.
    """
    if not prepared.policy.number("recall.log_days") or prepared.scope.subject_id == NOBODY:
        return
    scope = prepared.scope
    RecallLog.objects.create(
        id=recall_id,
        tenant_id=scope.tenant_id,
        subject=prepared.subject,
        by_user=prepared.by_user,
        key_id=scope.key_id,
        kinds=list(scope.kinds),
        compartments=list(scope.compartments),
        question=asked(question),
        policy_version=prepared.policy.version,
        ranking=pack(kept),
        result_ids=list(result_ids),
        pool_ids=[candidate.id for candidate in kept.pool.candidates],
        reason=reason or "",
        degraded=list(degraded),
        engine=engine,
        model=model,
        took_ms={step: round(ms, 2) for step, ms in took_ms.items()},
        asked_at=now,
    )


def asked(question: Question) -> dict[str, object]:
    """Return a question as JSON, without what was left to the defaults."""
    plain = Question(query="")
    values = {field.name: getattr(question, field.name) for field in fields(Question)}
    said = {name: value for name, value in values.items() if value != getattr(plain, name) or name == "query"}
    if question.filters is not None:
        said["filters"] = written(question.filters)
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in said.items()}
