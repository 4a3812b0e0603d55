"""Listed: runs, decisions and reviews, newest first, page by page."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from consolidation.models import Decision, ReviewItem, Run
from consolidation.services.review import SHOWN
from tenants.scope import Ability, Scope
from tenants.services.find_subject import find_subject
from tenants.services.open_scope import open_scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a list is limited to; None restricts nothing. before: the last id of the page before."""

    user_id: str | None = None
    run_id: UUID | None = None
    turn_id: UUID | None = None
    memory_id: UUID | None = None
    verdict: str | None = None
    state: str | None = None
    before: UUID | None = None
    limit: int = 50


def list_runs(scope: Scope, wanted: Wanted) -> list[Run]:
    """Return runs. Raises ScopeDenied; Subject.DoesNotExist, when the tenant has no such user."""
    scope.require(Ability.CONSOLIDATE)
    return _page(scope, Run.objects.all(), wanted, state=wanted.state)


def list_decisions(scope: Scope, wanted: Wanted) -> list[Decision]:
    """Return decisions. Raises as list_runs does."""
    scope.require(Ability.PROVENANCE_READ)
    exact = {
        "run_id": wanted.run_id,
        "turn_id": wanted.turn_id,
        "memory_id": wanted.memory_id,
        "verdict": wanted.verdict,
    }
    return _page(scope, Decision.objects.all(), wanted, **exact)


def list_reviews(scope: Scope, wanted: Wanted) -> list[ReviewItem]:
    """Return reviews. Raises as list_runs does."""
    scope.require(Ability.REVIEW)
    return _page(scope, ReviewItem.objects.select_related(*SHOWN), wanted, state=wanted.state)


def _page(scope: Scope, rows: "QuerySet[Any]", wanted: Wanted, **exact: Any) -> list[Any]:
    with open_scope(scope):
        subject = find_subject(scope, wanted.user_id)
        if subject is not None:
            rows = rows.filter(subject_id=subject.id)
        if wanted.before is not None:
            rows = rows.filter(id__lt=wanted.before)
        rows = rows.filter(**{name: value for name, value in exact.items() if value is not None})
        return list(rows.select_related("subject").order_by("-id")[: wanted.limit])
