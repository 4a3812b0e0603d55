"""What a change is in the engine's tables."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from backends.search import names
from backends.search.analysis import terms
from backends.search.changes import Body, Change
from backends.search.facets import APART, FACETS, MICROS
from backends.search.names import PASSAGES, VECTOR

FREQUENCY_MAX = 32_767
"""The largest smallint."""

MOMENTS = ("valid_from", "valid_to", "accepted_at", "closed_at", "ended_at", "expires_at")

Posting = tuple[str, int, int]
"""Term, its frequency in turn, its frequency in window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What documents are told apart by: nobody sees a part of a place."""

    tenant_id: UUID
    kind: str
    subject_id: UUID | None
    compartments: tuple[str, ...] | None
    state: str

    @property
    def order(self) -> str:
        """Return what places are sorted by, the same in every process, against deadlocks."""
        return f"{self.tenant_id}:{self.kind}:{self.subject_id}:{self.compartments}:{self.state}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document to be written."""

    place: Place
    columns: Mapping[str, Any]
    turn_length: int
    window_length: int
    postings: tuple[Posting, ...]
    facets: Mapping[str, list[str]]
    """Tokens of the fields that have a list of their own."""
    passages: tuple[str, ...]
    """Vectors, as Postgres reads them."""


def document_of(change: Change) -> Document | None:
    """Return the document of a change; None for a removal."""
    if change.body is None:
        return None
    turn, window = _counted(change.body, "turn"), _counted(change.body, "window")
    embedding = change.body.get("embedding")
    return Document(
        place=_place(change, change.body),
        columns={
            "session_id": change.body.get("session_id"),
            "agent_id": change.body.get("agent_id"),
            "author": change.body.get("author") or "",
            **{name: change.body.get(name) for name in MOMENTS},
            "superseded": bool(change.body.get("superseded")),
            FACETS: list(change.body.get(FACETS) or ()),
            **{name: change.body.get(name) for name in MICROS.values()},
            "embedding": None if embedding is None else _vector(embedding),
        },
        turn_length=turn.total(),
        window_length=window.total(),
        postings=tuple(_postings(turn, window)),
        facets={name: list(change.body[name]) for name in APART if change.body.get(name)},
        passages=tuple(_vector(passage[VECTOR]) for passage in change.body.get(PASSAGES) or ()),
    )


def _vector(numbers: Iterable[Any]) -> str:
    return str([float(x) for x in numbers])


def _place(change: Change, body: Body) -> Place:
    subject = body.get("subject_id") or names.NONE
    compartments = sorted({name for name in body.get("compartments") or () if name != names.NONE})
    return Place(
        tenant_id=change.tenant_id,
        kind=change.kind,
        subject_id=None if subject == names.NONE else UUID(str(subject)),
        compartments=tuple(compartments) or None,
        state=_state(body),
    )


def _state(body: Body) -> str:
    if body.get("closed_at"):
        return "closed"
    return "timed" if body.get("valid_to") or body.get("expires_at") else "open"


def _counted(body: Body, field: str) -> Counter[str]:
    return Counter(terms(str(body.get(field) or "")))


def _postings(turn: Counter[str], window: Counter[str]) -> Iterator[Posting]:
    for term in sorted(turn.keys() | window.keys()):
        yield term, min(turn[term], FREQUENCY_MAX), min(window[term], FREQUENCY_MAX)
