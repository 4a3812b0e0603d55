"""What goes into an engine: changes of documents, how each ended, and the indexes that hold them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any
from uuid import UUID

Body = Mapping[str, Any]
"""A prepared document as memories.documents makes it: keyword, text, date and vector fields by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One document to be written (body) or removed (body None), at an external version."""

    tenant_id: UUID
    kind: str
    id: UUID
    version: int
    body: Body | None


class State(Enum):
    """How one change ended.

    STALE: the engine already holds this version or a later one, which is as good. REJECTED: it will never take the
    document as it is. CONFLICT: it refused the version, though it holds none as high. RETRY: it was not ready.
    """

    APPLIED = "applied"
    STALE = "stale"
    REJECTED = "rejected"
    CONFLICT = "conflict"
    RETRY = "retry"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the engine confirmed for one change; reason is a short code for logs, without personal text."""

    change: Change
    state: State
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexDefinition:
    """A kind's index: mapping and settings are Elasticsearch's; other engines read the vectors' length only."""

    kind: str
    generation: int
    mapping: Mapping[str, Any]
    settings: Mapping[str, Any]

    @property
    def dimensions(self) -> int | None:
        """Length of its vectors; None where it has none."""
        length: int | None = self.mapping.get("properties", {}).get("embedding", {}).get("dims")
        return length
