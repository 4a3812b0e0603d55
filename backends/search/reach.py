"""Reach: what a query or a credential may read, and the credentials that prove it."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from backends.search.facets import APART

HIDEABLE_FIELDS = frozenset({"window", *APART})
"""Without the vector, the tenant or what else a search stands on, every recall would be empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What one credential, or one query, may read.

    subject_id: None means every subject of the tenant; a subject also reaches what is shared (no subject).
    kinds: memory kinds by name (backends.search.names.KINDS), never empty.
    compartments: documents without a compartment are always in reach, those with one only if it is listed.
    hidden_fields: fields of documents that find nothing, by their words or in a filter, sorted; of HIDEABLE_FIELDS.
    """

    tenant_id: UUID
    subject_id: UUID | None
    kinds: tuple[str, ...]
    compartments: tuple[str, ...] = ()
    hidden_fields: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.kinds:
            raise ValueError("kinds: a reach without a kind reads nothing; name at least one")
        if not HIDEABLE_FIELDS.issuperset(self.hidden_fields):
            raise ValueError(f"hidden_fields: only {', '.join(sorted(HIDEABLE_FIELDS))} can be hidden")

    @property
    def hides_window(self) -> bool:
        """Say whether words are looked for in the field `turn` alone."""
        return "window" in self.hidden_fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """An engine's own proof of a Reach. secret is shown once and kept encrypted by the caller."""

    id: str
    secret: str
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldCredential:
    """A credential as the engine itself lists it. reach: None if what it may read is no reach of ours, or it ended.

    created_at: by the engine's own account; expires_at: None if it never ends.
    """

    id: str
    reach: Reach | None
    created_at: datetime
    expires_at: datetime | None
