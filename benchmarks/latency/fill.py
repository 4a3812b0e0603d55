"""`python -m benchmarks.latency.fill`: fill a running stack; a process of its own, with the worker's rights.

It reads what to make as JSON from standard input and prints the tenants' ids by their keys as JSON. The turns come
through `record`, as a caller's do, and reach the engine by the stack's own outbox and worker. Only what models make
of them is given, so that nothing is left to embed: vectors mixed from real ones, stored in the transaction that
records them, and for late interaction the tokens of another real text. The stack's embedding worker stands still
meanwhile.
"""

import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import django

django.setup()  # before the models below

from django.utils import timezone  # noqa: E402

from backends.token_encoders.packing import pack  # noqa: E402
from benchmarks.latency.corpus import Mixer, read_corpus  # noqa: E402
from memories.models import Memory, MemoryTokens, MemoryVector  # noqa: E402
from memories.roles import Role  # noqa: E402
from memories.services.engine import embedder, token_encoder  # noqa: E402
from memories.services.record import NewTurn, record  # noqa: E402
from tenants.scope import Scope  # noqa: E402
from tenants.services.change_policy import change_policy  # noqa: E402
from tenants.services.create_tenant import create_tenant, system_scope  # noqa: E402
from tenants.services.open_scope import open_operator, open_scope  # noqa: E402

SESSION = 20
"""Turns of a session."""
BATCH = 500
FIRST = datetime(2025, 1, 1, tzinfo=UTC)
APART = timedelta(minutes=5)
MEASURED_ALONE = {
    "recall.cache_s": 0,
    "consolidation.after_turns": 10_000,
    "consolidation.quiet_minutes": None,
    "consolidation.after_hours": 720.0,
    "consolidation.nightly": False,
}
"""Kept answers would be measured in the engine's place, and the consolidation of what was filled in beside it."""
ENCODED = 100
"""Texts whose tokens are lent to all."""


class Made:
    """What models make of texts, without their running for each."""

    def __init__(self, texts: Sequence[str], *, seed: int) -> None:
        self.embedder = embedder()
        self.mixer = Mixer(texts, self.embedder, seed=seed)
        self._encoder = token_encoder()
        self._chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
        sample = self._chance.sample(list(texts), min(ENCODED, len(texts)))
        encoder = self._encoder
        self._tokens = [pack(encoder.passage(text)) for text in sample if encoder.reads(text)] if encoder else []

    def vector(self, scope: Scope, memory_id: UUID, subject_id: UUID) -> MemoryVector:
        """Return a memory's vector."""
        own = {"tenant_id": scope.tenant_id, "subject_id": subject_id, "memory_id": memory_id}
        return MemoryVector(**own, model=self.embedder.model, vector=self.mixer.vector().tolist())

    def tokens(self, scope: Scope, memory_id: UUID, subject_id: UUID) -> Iterator[MemoryTokens]:
        """Yield a memory's tokens, where the site has a model for them."""
        if self._encoder is not None:
            own = {"tenant_id": scope.tenant_id, "subject_id": subject_id, "memory_id": memory_id}
            packed = self._chance.choice(self._tokens) if self._tokens else b""
            yield MemoryTokens(**own, model=self._encoder.model, vectors=packed)


def fill(wanted: Mapping[str, Any]) -> dict[str, str]:
    """Make the tenants with their memories; return the id of each by its key."""
    corpus = read_corpus(Path(wanted["data"]) if wanted["data"] else None, seed=wanted["seed"])
    made = Made(corpus.texts, seed=wanted["seed"])
    tenants = {}
    for number in range(wanted["tenants"]):
        slug = f"load-{number}"
        issued = create_tenant(slug=slug, name=slug, now=timezone.now())
        tenants[issued.secret] = str(issued.key.tenant_id)
        scope = system_scope(issued.key.tenant_id)
        change_policy(scope, MEASURED_ALONE, now=timezone.now())
        for user in range(wanted["users"]):
            turns = list(_turns(made.mixer, user, wanted["memories"] // wanted["tenants"] // wanted["users"]))
            for start in range(0, len(turns), BATCH):
                _record(scope, turns[start : start + BATCH], made)
    return tenants


def _turns(mixer: Mixer, user: int, count: int) -> Iterator[NewTurn]:
    for index in range(count):
        yield NewTurn(
            user_id=f"user-{user}",
            session_id=f"chat-{index // SESSION}",
            agent_id=None,
            role=Role.USER,
            speaker="",
            content=mixer.text(),
            occurred_at=FIRST + index * APART,
            metadata={},
        )


def _record(scope: Scope, turns: list[NewTurn], made: Made) -> None:
    with open_scope(scope):
        recorded = record(scope, turns, embedder=made.embedder, now=timezone.now())
        found = Memory.objects.filter(id__in=[one.memory_id for one in recorded.turns])
        memories = list(found.values_list("id", "subject_id"))
        MemoryVector.objects.bulk_create(made.vector(scope, *memory) for memory in memories)
    with open_operator():
        MemoryTokens.objects.bulk_create(tokens for memory in memories for tokens in made.tokens(scope, *memory))


if __name__ == "__main__":
    print(json.dumps(fill(json.load(sys.stdin))))
