"""`python -m benchmarks.latency.fill`: fill a running stack; a process of its own, with the worker's rights.

It reads what to make as JSON from standard input and prints the tenants' ids by their keys as JSON. The turns come
through `record`, as a caller's do, and reach the engine by the stack's own outbox and worker. Only their vectors are
given: they are stored in the transaction that records them, so that nothing is left to embed.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import django

django.setup()  # before the models below

from django.utils import timezone  # noqa: E402

from backends.embedders.base import Embedder  # noqa: E402
from benchmarks.latency.corpus import Mixer, read_corpus  # noqa: E402
from memories.models import Memory, MemoryVector  # noqa: E402
from memories.roles import Role  # noqa: E402
from memories.services.engine import embedder  # noqa: E402
from memories.services.record import NewTurn, record  # noqa: E402
from tenants.scope import Scope  # noqa: E402
from tenants.services.create_tenant import create_tenant, system_scope  # noqa: E402
from tenants.services.open_scope import open_scope  # noqa: E402

SESSION = 20
"""Turns of a session."""
BATCH = 500
FIRST = datetime(2025, 1, 1, tzinfo=UTC)
APART = timedelta(minutes=5)


def fill(wanted: Mapping[str, Any]) -> dict[str, str]:
    """Make the tenants with their memories; return the id of each by its key."""
    corpus = read_corpus(Path(wanted["data"]) if wanted["data"] else None, seed=wanted["seed"])
    model = embedder()
    mixer = Mixer(corpus.texts, model, seed=wanted["seed"])
    tenants = {}
    for number in range(wanted["tenants"]):
        slug = f"load-{number}"
        issued = create_tenant(slug=slug, name=slug, now=timezone.now())
        tenants[issued.secret] = str(issued.key.tenant_id)
        scope = system_scope(issued.key.tenant_id)
        for user in range(wanted["users"]):
            turns = list(_turns(mixer, user, wanted["memories"] // wanted["tenants"] // wanted["users"]))
            for start in range(0, len(turns), BATCH):
                _record(scope, turns[start : start + BATCH], mixer, model)
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


def _record(scope: Scope, turns: list[NewTurn], mixer: Mixer, model: Embedder) -> None:
    with open_scope(scope):
        recorded = record(scope, turns, embedder=model, now=timezone.now())
        memories = Memory.objects.filter(id__in=[one.memory_id for one in recorded.turns])
        vectors = [
            MemoryVector(
                tenant_id=scope.tenant_id,
                subject_id=subject_id,
                memory_id=memory_id,
                model=model.model,
                vector=mixer.vector().tolist(),
            )
            for memory_id, subject_id in memories.values_list("id", "subject_id")
        ]
        MemoryVector.objects.bulk_create(vectors)


if __name__ == "__main__":
    print(json.dumps(fill(json.load(sys.stdin))))
