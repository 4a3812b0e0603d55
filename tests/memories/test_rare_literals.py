"""Codes and numbers among 2,000 records: from the API through worker and engine to recall.

The records that are asked for and those that resemble them are embedded for real; the talk around them has vectors
mixed from real ones, since embedding it would take a minute more.
"""

from collections.abc import Callable, Sequence

import pytest

from benchmarks.latency.corpus import Mixer
from benchmarks.rare_literals.asking import ask_all, missed, table
from benchmarks.rare_literals.literals import Records, make_records
from memories.models import Memory, MemoryVector
from memories.services.engine import embedder
from tenants.services.open_scope import open_scope
from tests.conftest import Caller

pytestmark = pytest.mark.usefixtures("each_engine")

RECORDS = 2_000
BATCH = 500
SEED = 20_261_130


def tell(caller: Caller, records: Records) -> None:
    for start in range(0, len(records.texts), BATCH):
        turns = [
            {"user_id": "u1", "session_id": "notes", "content": text} for text in records.texts[start : start + BATCH]
        ]
        assert caller.client.post("/api/v1/turns/batch/", {"turns": turns}, format="json").status_code == 201


def give_vectors_to_talk(caller: Caller, records: Records) -> None:
    model = embedder()
    mixer = Mixer([text for text in records.texts if text not in records.alike], model, seed=SEED, real=60)
    with open_scope(caller.scope):
        talk = Memory.objects.exclude(text__in=list(records.alike)).values_list("id", "subject_id")
        MemoryVector.objects.bulk_create(
            MemoryVector(tenant_id=caller.key.tenant_id, subject_id=subject_id, memory_id=memory_id,
                         model=model.model, vector=mixer.vector().tolist())
            for memory_id, subject_id in talk
        )  # fmt: skip


def test_a_rare_literal_comes_first_bare_and_among_ten_in_a_sentence(acme: Caller, drain: Callable[[], None]) -> None:
    records = make_records(RECORDS, seed=SEED)
    tell(acme, records)
    give_vectors_to_talk(acme, records)
    drain()

    def recall(question: str, top_k: int) -> Sequence[str]:
        return [hit["text"] for hit in acme.recall(question, top_k=top_k)["results"]]

    asked = ask_all(records.literals, recall)
    short = [f"{one.way} {one.question}: {one.ranks}" for one in missed(asked)]
    assert not short, "\n".join([table(asked), *short])
