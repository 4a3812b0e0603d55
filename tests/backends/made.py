"""Documents of the contract."""

import math
import random
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from backends.search import names
from backends.search.changes import Change
from backends.search.reach import Reach

DIMENSIONS = 384
MORNING = datetime(2026, 3, 1, 9, tzinfo=UTC)


def axis(number: int) -> list[float]:
    """Return the unit vector along one dimension."""
    return [1.0 if place == number else 0.0 for place in range(DIMENSIONS)]


def made_up(seed: int) -> list[float]:
    """Return a vector of length 1 by chance, the same each time."""
    chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
    drawn = [chance.gauss(0, 1) for _ in range(DIMENSIONS)]
    length = math.sqrt(math.fsum(x * x for x in drawn))
    return [x / length for x in drawn]


def change(reach: Reach, turn: str, *, version: int = 1, object_id: UUID | None = None, **fields: Any) -> Change:
    """Return a document of a reach's tenant and subject."""
    body: dict[str, Any] = {
        "tenant_id": str(reach.tenant_id),
        "subject_id": str(reach.subject_id) if reach.subject_id else names.NONE,
        "kind": names.EPISODIC,
        "author": "user",
        "compartments": list(reach.compartments) or [names.NONE],
        "turn": turn,
        "window": fields.pop("window", turn),
        "valid_from": MORNING.isoformat(),
        **fields,
    }
    return Change(tenant_id=reach.tenant_id, kind=names.EPISODIC, id=object_id or uuid4(), version=version, body=body)
