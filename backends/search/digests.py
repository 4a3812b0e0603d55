"""Digests: what a store holds of one tenant and kind, by day, small enough to be compared."""

import hashlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

DAY_MS = 86_400_000

Held = tuple[UUID, int]
"""A document's id and the version that is held of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """How many documents, and the exclusive or of a 64-bit hash of each one's id and version."""

    count: int
    mark: int


def day_of(object_id: UUID) -> int:
    """Return the day on which an id was made, since 1970, by its own first 48 bits (UUIDv7); for any UUID some day.

    Source: RFC 9562, section 5.7.
    """
    return (object_id.int >> 80) // DAY_MS


def digests(held: Iterable[Held]) -> dict[int, Digest]:
    """Return the digest of each day; the order of what is held does not matter, and neither does its amount."""
    counts: dict[int, int] = {}
    marks: dict[int, int] = {}
    for object_id, version in held:
        day = day_of(object_id)
        counts[day] = counts.get(day, 0) + 1
        marks[day] = marks.get(day, 0) ^ _mark(object_id, version)
    return {day: Digest(count=counts[day], mark=marks[day]) for day in counts}


def of_days(held: Iterable[Held], days: Collection[int]) -> Iterator[Held]:
    """Return what was made on certain days."""
    return ((object_id, version) for object_id, version in held if day_of(object_id) in days)


def _mark(object_id: UUID, version: int) -> int:
    text = object_id.bytes + version.to_bytes(8, "big", signed=True)
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
