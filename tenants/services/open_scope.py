"""Open a scope: the transaction in which Postgres shows one tenant, and one subject of it where named."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from uuid import UUID

from django.db import connection, transaction

from tenants.scope import Scope, ScopeDenied

TENANT_ROLE = "mneme_tenant"
OPERATOR_ROLE = "mneme_operator"
ERASER_ROLE = "mneme_eraser"

LOCK_TIMEOUT = "5s"
"""How long a tenant's request waits for a row that another holds: its waiting must not use the whole pool up."""

_SETTINGS = ("role", "app.tenant_id", "app.subject_id", "lock_timeout")


@contextmanager
def open_scope(scope: Scope) -> Iterator[None]:
    """Run the block in a transaction as mneme_tenant, seeing only what the scope may.

    On leaving, role and settings are put back: they would outlive a released savepoint. Evaluate querysets inside.
    Raises ScopeDenied, when another tenant's or subject's scope, or the operator's, is already open.
    """
    with _opened(TENANT_ROLE, scope.tenant_id, scope.subject_id):
        yield


@contextmanager
def open_operator() -> Iterator[None]:
    """Run the block in a transaction as mneme_operator, across tenants; only the worker's login may.

    Raises ScopeDenied, when a scope of a tenant is already open.
    """
    with _opened(OPERATOR_ROLE, None, None):
        yield


@contextmanager
def open_eraser() -> Iterator[None]:
    """Run the block in a transaction as mneme_eraser, which may delete what is marked for it; only the worker may.

    Raises ScopeDenied, when a scope of a tenant is already open.
    """
    with _opened(ERASER_ROLE, None, None):
        yield


@contextmanager
def _opened(role: str, tenant_id: UUID | None, subject_id: UUID | None) -> Iterator[None]:
    nested = connection.in_atomic_block
    wanted = {"role": role, "app.tenant_id": str(tenant_id or ""), "app.subject_id": str(subject_id or "")}
    if role == TENANT_ROLE:
        wanted["lock_timeout"] = LOCK_TIMEOUT
    with transaction.atomic():
        before = _current() if nested else {}
        _refuse_another(before, wanted)
        _set(wanted)
        yield
        if nested:
            _set(before)


def _refuse_another(before: Mapping[str, str], wanted: Mapping[str, str]) -> None:
    """Allow entering from no scope, and narrowing a tenant's scope to one of its subjects."""
    if before.get("role", "none") == "none":
        return
    subject = before["app.subject_id"]
    narrows = subject in ("", wanted["app.subject_id"]) and before["app.tenant_id"] == wanted["app.tenant_id"]
    if before["role"] != wanted["role"] or not narrows:
        raise ScopeDenied("another scope is already open in this transaction")


def _current() -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT " + ", ".join("coalesce(current_setting(%s, true), '')" for _ in _SETTINGS), _SETTINGS)
        return dict(zip(_SETTINGS, cursor.fetchone(), strict=True))


def _set(settings: Mapping[str, str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT " + ", ".join("set_config(%s, %s, true)" for _ in settings),
            [item for pair in settings.items() for item in pair],
        )
