"""Open a scope: the transaction in which Postgres shows one tenant, and one subject of it where named."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from django.db import connection, transaction

from tenants.scope import Scope, ScopeDenied

TENANT_ROLE = "mneme_tenant"
OPERATOR_ROLE = "mneme_operator"
ERASER_ROLE = "mneme_eraser"

LOCK_TIMEOUT = "5s"
"""How long a tenant's request waits for a row that another holds: its waiting must not use the whole pool up."""

ALL = "*"
"""Every compartment, or every kind: what only open_unseen has."""

_SETTINGS = ("role", "app.tenant_id", "app.subject_id", "app.compartments", "app.kinds", "lock_timeout")


@contextmanager
def open_scope(scope: Scope) -> Iterator[None]:
    """Run the block in a transaction as mneme_tenant, seeing only what the scope may.

    On leaving, role and settings are put back: they would outlive a released savepoint. Evaluate querysets inside.
    Raises ScopeDenied, when another tenant's or subject's scope, the operator's, or one of fewer compartments or
    kinds is already open.
    """
    with _opened(TENANT_ROLE, _reach(scope)):
        yield


def narrow_scope(scope: Scope) -> None:
    """Let the open scope be a narrower one for the rest of its block: one round trip, where opening one takes four.

    Raises ScopeDenied, when none is open, or the one that is open is not wider; it stays as it was then.
    """
    if not connection.in_atomic_block:
        raise ScopeDenied("no scope is open to be narrowed")
    wanted = {"role": TENANT_ROLE, **_reach(scope)}
    before = _exchange(wanted)
    try:
        if before["role"] != TENANT_ROLE:
            raise ScopeDenied("no scope is open to be narrowed")
        _refuse_another(before, wanted, unseen=False)
    except ScopeDenied:
        _set(before)
        raise


@contextmanager
def open_unseen(scope: Scope) -> Iterator[None]:
    """Run the block with every compartment and kind that the tenant has, the scope's subject being what it is.

    For what a verb must close whether its caller sees it or not. Nothing that is read inside may be told.
    Raises ScopeDenied, as open_scope does.
    """
    with _opened(TENANT_ROLE, {**_reach(scope), "app.compartments": ALL, "app.kinds": ALL}, unseen=True):
        yield


@contextmanager
def open_operator() -> Iterator[None]:
    """Run the block in a transaction as mneme_operator, across tenants; only the worker's login may.

    Raises ScopeDenied, when a scope of a tenant is already open.
    """
    with _opened(OPERATOR_ROLE, _NOWHERE):
        yield


@contextmanager
def open_eraser() -> Iterator[None]:
    """Run the block in a transaction as mneme_eraser, which may delete what is marked for it; only the worker may.

    Raises ScopeDenied, when a scope of a tenant is already open.
    """
    with _opened(ERASER_ROLE, _NOWHERE):
        yield


_NOWHERE = {"app.tenant_id": "", "app.subject_id": "", "app.compartments": "", "app.kinds": ""}


def _reach(scope: Scope) -> dict[str, str]:
    return {
        "app.tenant_id": str(scope.tenant_id),
        "app.subject_id": str(scope.subject_id or ""),
        "app.compartments": json.dumps(scope.compartments, ensure_ascii=False),
        "app.kinds": json.dumps(scope.kinds, ensure_ascii=False),
    }


@contextmanager
def _opened(role: str, reach: Mapping[str, str], *, unseen: bool = False) -> Iterator[None]:
    nested = connection.in_atomic_block
    wanted = {"role": role, **reach}
    if role == TENANT_ROLE:
        wanted["lock_timeout"] = LOCK_TIMEOUT
    with transaction.atomic():
        # What is refused is set already, and undone with the savepoint.
        before = _exchange(wanted) if nested else {}
        _refuse_another(before, wanted, unseen=unseen)
        if not nested:
            _set(wanted)
        yield
        if nested:
            _set(before)


def _refuse_another(before: Mapping[str, str], wanted: Mapping[str, str], *, unseen: bool) -> None:
    """Allow entering from no scope, and narrowing a tenant's scope: to a subject, to fewer compartments or kinds."""
    if before.get("role", "none") == "none":
        return
    subject = before["app.subject_id"]
    narrows = subject in ("", wanted["app.subject_id"]) and before["app.tenant_id"] == wanted["app.tenant_id"]
    narrows &= unseen or all(_holds(before[name], wanted[name]) for name in ("app.compartments", "app.kinds"))
    if before["role"] != wanted["role"] or not narrows:
        raise ScopeDenied("another scope is already open in this transaction")


def _holds(outer: str, inner: str) -> bool:
    """Say whether all that the inner list has is in the outer one."""
    return outer in (ALL, inner) or set(json.loads(inner or "[]")) <= set(json.loads(outer or "[]"))


def _exchange(wanted: Mapping[str, str]) -> dict[str, str]:
    """Set and return what was set before, in one round trip: a select list is evaluated from left to right."""
    read = ["coalesce(current_setting(%s, true), '')" for _ in _SETTINGS]
    change = ["set_config(%s, %s, true)" for _ in wanted]
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {', '.join([*read, *change])}",
            [*_SETTINGS, *(item for pair in wanted.items() for item in pair)],
        )
        row = cursor.fetchone()
    return dict(zip(_SETTINGS, row[: len(_SETTINGS)], strict=True))


def _set(settings: Mapping[str, str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT " + ", ".join("set_config(%s, %s, true)" for _ in settings),
            [item for pair in settings.items() for item in pair],
        )
