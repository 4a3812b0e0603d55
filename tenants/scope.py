"""Scope: who asks, for whom, and what they may do; the first argument of every service."""

from dataclasses import dataclass, replace
from enum import StrEnum
from uuid import UUID

SCOPE_IN_META = "mneme.scope"
"""Where a request keeps its scope for whoever renders its answer or its error, once a key was admitted."""


class Ability(StrEnum):
    """What a key may be given; a key has only what it was given."""

    TURNS_WRITE = "turns:write"
    MEMORIES_READ = "memories:read"
    MEMORIES_WRITE = "memories:write"
    PROVENANCE_READ = "provenance:read"
    CATALOG_WRITE = "catalog:write"
    CONSOLIDATE = "consolidate"
    REVIEW = "review"
    KEYS_MANAGE = "keys:manage"
    COMPLIANCE = "compliance"
    MEMBERS_MANAGE = "members:manage"  # of owners in the admin; no key is ever given it


class ActorKind(StrEnum):
    """Who acts."""

    KEY = "key"
    USER = "user"
    SYSTEM = "system"


class ScopeDenied(Exception):
    """The scope has no right to what was asked."""


class FieldDenied(ScopeDenied):
    """The scope has no right to what a request says in a field. field: the request's field."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotas:
    """How much a key may do. None: as the site's settings say; 0: without a limit."""

    requests_a_minute: int | None = None
    turns_a_day: int | None = None
    recalls_a_minute: int | None = None


NO_QUOTAS = Quotas()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """One tenant, at most one subject, one actor and what it may do.

    subject_id: None reaches every subject of the tenant; a subject also reaches what is shared.
    key_id: the API key that authenticated; None for a user of the admin or the system.
    staff_id: the signed-in user of the admin; None for a key or the system.
    """

    tenant_id: UUID
    subject_id: UUID | None = None
    actor: ActorKind
    key_id: UUID | None = None
    staff_id: int | None = None
    abilities: frozenset[Ability]
    kinds: tuple[str, ...]
    compartments: tuple[str, ...] = ()
    hidden_fields: tuple[str, ...] = ()
    purpose: str = ""
    quotas: Quotas = NO_QUOTAS
    request_id: str = ""

    def narrowed_to(self, subject_id: UUID) -> "Scope":
        """Return this scope for one subject only.

        Raises ScopeDenied, when the scope already belongs to another subject.
        """
        if self.subject_id not in (None, subject_id):
            raise ScopeDenied("the key belongs to another user")
        return replace(self, subject_id=subject_id)

    def acting_key(self) -> UUID:
        """Return the API key that acts; raise ScopeDenied for a user of the admin or the system."""
        if self.key_id is None:
            raise ScopeDenied("this needs an API key")
        return self.key_id

    def require_kind(self, kind: str) -> None:
        """Raise ScopeDenied unless the scope may read and write rows of the kind."""
        if kind not in self.kinds:
            raise ScopeDenied(f"the key is not for {kind} rows")

    def require_whole_tenant(self, what: str) -> None:
        """Raise ScopeDenied where the scope belongs to one user; what: is of the whole tenant, with its verb."""
        if self.subject_id is not None:
            raise ScopeDenied(f"{what} of the whole tenant; the key belongs to one user")

    def require(self, ability: Ability) -> None:
        """Raise ScopeDenied unless the scope has the ability."""
        if ability not in self.abilities:
            holder = "role" if self.actor is ActorKind.USER else "key"
            raise ScopeDenied(f"the {holder} lacks the ability {ability}")
