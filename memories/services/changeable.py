"""Whether a row may be changed by a scope, at the version it was read at."""

from typing import TypeVar
from uuid import UUID

from django.db.models import QuerySet

from memories.models.versioned import Versioned
from tenants.scope import Scope, ScopeDenied

Row = TypeVar("Row", bound=Versioned)


class StaleVersion(Exception):
    """If-Match names a version that the row no longer has; read it again and decide anew."""


def check_changeable(scope: Scope, row: Versioned, *, if_match: int | None) -> None:
    """Return when the scope may change the locked row.

    Raises ScopeDenied, when the row is shared and the scope is one user's; StaleVersion, when if_match is another
    version than the row's.
    """
    if scope.subject_id is not None and row.subject_id != scope.subject_id:
        raise ScopeDenied("what is shared by all users is not changed by one of them")
    if if_match is not None and if_match != row.version:
        raise StaleVersion(f"If-Match: the version is {row.version}; read it again and decide anew")


def lock_changeable(scope: Scope, rows: "QuerySet[Row]", row_id: UUID, *, if_match: int | None) -> Row:
    """Return one of the rows, locked until the scope closes. The scope is open.

    Raises DoesNotExist, when there is none; ScopeDenied or StaleVersion, as check_changeable does.
    """
    rows.model._default_manager.select_for_update(no_key=True).filter(id=row_id).first()
    row = rows.get(id=row_id)
    check_changeable(scope, row, if_match=if_match)
    return row
