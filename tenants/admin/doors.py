"""Which side of the wall a page of the admin stands on; every page is inside unless it says otherwise."""

from collections.abc import Callable
from enum import Enum
from typing import Any, TypeVar

View = TypeVar("View", bound=Callable[..., Any])


class Door(Enum):
    """Where a page runs.

    OUTSIDE: no tenant is needed and none is open; the login's own rights reach no tenant's table.
    OWN: a tenant is chosen, and the services that the page calls open it; they reach an engine or the users' table.
    INSIDE: the whole page runs in the chosen tenant.
    """

    OUTSIDE = "outside"
    OWN = "own"
    INSIDE = "inside"


_OUTSIDE_NAMES = frozenset({"login", "logout", "jsi18n", "password_change", "password_change_done"})


def outside(view: View) -> View:
    """Mark a view that needs no tenant."""
    view.door = Door.OUTSIDE  # type: ignore[attr-defined]
    return view


def opens_itself(view: View) -> View:
    """Mark a view whose services open the scope."""
    view.door = Door.OWN  # type: ignore[attr-defined]
    return view


def door_of(view: Callable[..., Any], url_name: str | None) -> Door:
    """Return where a view runs; url_name tells the pages that are Django's own."""
    if url_name in _OUTSIDE_NAMES:
        return Door.OUTSIDE
    door: Door = getattr(view, "door", Door.INSIDE)
    return door
