"""Golden questions: what a tenant holds a change against."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memories.models import CatalogDocument, Entity, GoldenQuestion, Memory, Relation
from memories.services.answer_recall import NONE, Recalled
from memories.services.ensure_subject import ensure_subject
from memories.services.filtering import require_filterable
from memories.services.log_recall import asked
from memories.services.question import Question
from memories.services.question_again import question_again
from memories.services.references import UnknownReference
from memories.services.restricted import kinds_asked
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope

GOLDEN_MAX = 100
"""Questions of a tenant; a check asks every one."""


class TooManyGolden(Exception):
    """The tenant has as many golden questions as can be checked; remove some first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One question's outcome. missing: expected memories not among the first; match: what the answer said."""

    golden: GoldenQuestion
    passed: bool
    missing: tuple[UUID, ...]
    match: str


def add_golden(
    scope: Scope, question: Question, *, expected: Sequence[UUID], within: int, now: datetime
) -> GoldenQuestion:
    """Keep a question with the memories that must be among its first answers; none: nothing must match.

    Raises ScopeDenied, also for a kind or a field that the scope does not see; TooManyGolden; UnknownReference, when
    an expected memory is not there for the scope.
    """
    _require(scope)
    kinds_asked(scope, question)
    require_filterable(scope, question.filters)
    with open_scope(scope):
        subject = ensure_subject(scope, question.user_id, now=now)
        _require_there(expected)
        if GoldenQuestion.objects.count() >= GOLDEN_MAX:
            raise TooManyGolden(f"the tenant has {GOLDEN_MAX} golden questions; remove some first")
        golden = GoldenQuestion.objects.create(
            tenant_id=scope.tenant_id,
            subject=subject,
            kinds=list(scope.kinds),
            compartments=list(scope.compartments),
            question=asked(question),
            expected_ids=list(dict.fromkeys(expected)),
            within=within,
            created_at=now,
        )
        note_event(scope, "golden.added", object_ids=[golden.id], subject=subject, now=now)
    return golden


def list_golden(scope: Scope) -> list[GoldenQuestion]:
    """Return the tenant's golden questions, oldest first."""
    _require(scope)
    with open_scope(scope):
        return list(GoldenQuestion.objects.select_related("subject").order_by("id"))


def remove_golden(scope: Scope, golden_id: UUID, *, now: datetime) -> None:
    """Remove a golden question. Raises ScopeDenied; GoldenQuestion.DoesNotExist."""
    _require(scope)
    with open_scope(scope):
        GoldenQuestion.objects.get(id=golden_id).delete()
        note_event(scope, "golden.removed", object_ids=[golden_id], now=now)


def check_golden(scope: Scope, ask: Callable[[Scope, Question], Recalled]) -> list[Checked]:
    """Ask every golden question and say which hold. ask: recall with the site's engine and models."""
    return [_checked(golden, ask(scope, _wide_enough(golden))) for golden in list_golden(scope)]


def _require_there(ids: Sequence[UUID]) -> None:
    tables = (Memory, Entity, Relation, CatalogDocument)
    there = {
        found for rows in tables for found in rows._default_manager.filter(id__in=ids).values_list("id", flat=True)
    }
    for index, wanted in enumerate(ids):
        if wanted not in there:
            raise UnknownReference(f"expected.{index}")


def _wide_enough(golden: GoldenQuestion) -> Question:
    return question_again({**golden.question, "top_k": golden.within})


def _checked(golden: GoldenQuestion, recalled: Recalled) -> Checked:
    found = {hit.row.id for hit in recalled.hits}
    missing = tuple(memory_id for memory_id in golden.expected_ids if memory_id not in found)
    passed = not missing if golden.expected_ids else recalled.match == NONE
    return Checked(golden=golden, passed=passed and not recalled.degraded, missing=missing, match=recalled.match)


def _require(scope: Scope) -> None:
    scope.require(Ability.KEYS_MANAGE)
    scope.require_whole_tenant("golden questions are")
