"""A neighbour's documents: many, of another tenant, made to compete with one's own.

Their words are drawn from the turns of the tenant that is measured, and their vectors lie between two of its vectors:
mixed from real ones, since embedding 100,000 texts would take the better part of an hour. They go to the engine
alone, past the record, since it is the engine whose statistics and candidates they could change.
"""

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from uuid import UUID

import numpy as np
from uuid_utils.compat import uuid7

from backends.embedders.base import Embedder
from backends.search import names
from backends.search.base import SearchEngine
from backends.search.changes import Change, State

BATCH = 1_000
EMBEDDED = 400
"""Real vectors that are mixed."""


def add_documents(
    engine: SearchEngine, embedder: Embedder, texts: Sequence[str], *, tenant_id: UUID, count: int, seed: int
) -> int:
    """Write a neighbour's documents; return how many the engine confirmed."""
    chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
    noise = np.random.default_rng(seed)
    vectors = embedder.passages(chance.sample(list(texts), min(EMBEDDED, len(texts))))
    words = [text.split() for text in texts]
    applied = 0
    for start in range(0, count, BATCH):
        changes = list(_changes(words, vectors, chance, noise, tenant_id, min(BATCH, count - start)))
        applied += sum(outcome.state is State.APPLIED for outcome in engine.apply(changes))
    engine.refresh()
    return applied


def _changes(
    words: Sequence[Sequence[str]],
    vectors: "np.typing.NDArray[np.float32]",
    chance: random.Random,
    noise: np.random.Generator,
    tenant_id: UUID,
    count: int,
) -> Iterator[Change]:
    subject = uuid7()
    now = datetime.now(UTC).isoformat()
    for _ in range(count):
        first, second = chance.choice(words), chance.choice(words)
        turn = " ".join([*first[: len(first) // 2], *second[len(second) // 2 :]]) or "nothing"
        one, two = vectors[chance.randrange(len(vectors))], vectors[chance.randrange(len(vectors))]
        share = noise.uniform(0.5, 1.0)
        mixed = share * one + (1 - share) * two + noise.normal(0, 0.01, one.shape)
        body = {
            "tenant_id": str(tenant_id),
            "subject_id": str(subject),
            "kind": names.EPISODIC,
            "author": "user",
            "compartments": [names.NONE],
            "turn": turn,
            "window": turn,
            "valid_from": now,
            "accepted_at": now,
            "superseded": False,
            "embedding": [float(x) for x in mixed / np.linalg.norm(mixed)],
        }
        yield Change(tenant_id=tenant_id, kind=names.EPISODIC, id=uuid7(), version=1, body=body)
