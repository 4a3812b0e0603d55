"""Open a scope: the transaction in which Postgres shows one tenant, and one subject of it where named."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import connection, transaction

from tenants.scope import Scope, ScopeDenied

TENANT_ROLE = "mneme_tenant"
OPERATOR_ROLE = "mneme_operator"
ERASER_ROLE = "mneme_eraser"

_SETTINGS = ("role", "app.tenant_id", "app.subject_id")


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
    wanted = (role, str(tenant_id or ""), str(subject_id or ""))
    with transaction.atomic():
        before = _current() if nested else ("none", "", "")
        _refuse_another(before, wanted)
        _set(wanted)
        yield
        if nested:
            _set(before)


def _refuse_another(before: tuple[str, ...], wanted: tuple[str, ...]) -> None:
    """Allow entering from no scope, and narrowing a tenant's scope to one of its subjects."""
    role, tenant, subject = before
    if role == "none":
        return
    narrows = subject in ("", wanted[2]) and tenant == wanted[1]
    if role != wanted[0] or not narrows:
        raise ScopeDenied("another scope is already open in this transaction")


def _current() -> tuple[str, ...]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('role'), coalesce(current_setting('app.tenant_id', true), ''),"
            " coalesce(current_setting('app.subject_id', true), '')"
        )
        row = cursor.fetchone()
    return tuple(str(value) for value in row)


def _set(values: tuple[str, ...]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT " + ", ".join("set_config(%s, %s, true)" for _ in _SETTINGS),
            [item for pair in zip(_SETTINGS, values, strict=True) for item in pair],
        )
