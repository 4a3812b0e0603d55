"""Long turns: what is said in the middle of one is found by what it means, and shown."""

from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.utils import timezone

from memories.models import CatalogPassages, MemoryPassages, MemoryVector, OutboxEntry
from memories.services.engine import embedder, search_engine
from memories.services.rebuild import backfill, begin_rebuild
from memories.tasks import erase_task
from tenants.ids import uuid7
from tenants.models import Subject
from tenants.scope import Ability
from tenants.services.open_scope import open_operator, open_scope
from tests.conftest import Caller, login
from tests.plugin import DATABASE

Drain = Callable[[], None]

LEDGER = (
    "The quarterly ledger lists each invoice by supplier, and the accountant compares it with the bank statement. ",
    "Column four of the spreadsheet holds the tax that was withheld, rounded to cents as the auditors want it. ",
    "After the reconciliation the totals are signed off, archived, and sent to the regional finance office. ",
    "Travel costs are booked under their own heading, with receipts scanned in the order of their dates. ",
)
NEEDLE = "Last weekend my sister went to the shelter and brought home a small grey kitten that she calls Biscuit."
QUESTION = "Which pet did my sibling adopt?"
账目 = (
    "季度账目按供应商列出每一张发票，会计再把它与银行对账单逐条核对。",
    "表格第四栏记录已扣除的税款，并按照审计的要求四舍五入到分。",
    "核对完成以后，总额经过签字、归档，然后寄给地区财务办公室。",
)
CHINESE_NEEDLE = "上个周末我妹妹去了收容所，带回家一只灰色的小猫，给它取名叫饼干。"
CHINESE_QUESTION = "家中小动物的来历是什么?"


def told(filler: tuple[str, ...], needle: str, *, length: int) -> str:
    """Return a text of about a length with a needle in its middle, in one paragraph."""
    half = "".join(filler[number % len(filler)] for number in range(length))[: length // 2]
    return f"{half} {needle} {half}"


def shown(hit: dict[str, Any]) -> str:
    """Return the passage of a hit."""
    text: str = hit["text"][hit["passage"]["start"] : hit["passage"]["end"]]
    return text


@pytest.mark.parametrize(
    ("filler", "needle", "question", "length"),
    [(LEDGER, NEEDLE, QUESTION, 20_000), (账目, CHINESE_NEEDLE, CHINESE_QUESTION, 4_000)],
)
def test_a_needle_in_a_long_turn_is_found_in_other_words_and_shown(
    acme: Caller, drain: Drain, each_engine: str, filler: tuple[str, ...], needle: str, question: str, length: int
) -> None:
    long = acme.turn(told(filler, needle, length=length), session_id="long")
    others = [acme.turn(f"{filler[n % len(filler)]} {n}", session_id=f"s{n}")["memory_id"] for n in range(12)]
    before = acme.recall(question, top_k=20, explain=True)
    drain()
    answer = acme.recall(question, top_k=20, explain=True, format="prompt", overlay=False)
    hit = next(one for one in answer["results"] if one["memory_id"] == long["memory_id"])
    assert hit["explain"]["legs"]["dense"]["rank"] == 1
    assert hit in answer["results"][:3]
    assert needle in shown(hit)
    assert hit["passage"]["end"] - hit["passage"]["start"] <= 900
    line = next(line for line in answer["prompt"]["text"].splitlines() if needle in line)
    assert line.endswith("…")
    assert "] …" in line
    assert all(one["passage"] is None for one in answer["results"] if one["memory_id"] in others)
    assert {one["memory_id"] for one in before["results"]} <= {long["memory_id"], *others}
    with open_scope(acme.system):
        assert not OutboxEntry.objects.exists()


def test_until_the_worker_has_been_there_words_choose_the_passage(acme: Caller) -> None:
    acme.turn(told(LEDGER, NEEDLE, length=6_000))
    hit = acme.recall("kitten Biscuit", format="prompt")
    assert NEEDLE in shown(hit["results"][0])
    assert NEEDLE in hit["prompt"]["text"]


def test_the_passage_that_has_a_code_is_the_one_that_is_shown(acme: Caller, drain: Drain) -> None:
    acme.turn(told(LEDGER, "Invoice INV-20417 was paid twice.", length=5_000))
    drain()
    assert "INV-20417" in shown(acme.recall("What about invoice INV-20417 of that supplier?")["results"][0])


def test_facts_playbooks_and_the_catalog_have_passages_and_short_texts_have_none(acme: Caller, drain: Drain) -> None:
    fact = {"user_id": "u1", "text": told(LEDGER, NEEDLE, length=2_000)}
    made = acme.client.post("/api/v1/memories/", fact, format="json")
    assert made.status_code == 201, made.content
    documents = {"documents": [
        {"id": "long", "title": "Minutes", "text": told(LEDGER, "The mascot is an otter.", length=2_000)},
        {"id": "short", "title": "Minutes", "text": "The lift is out of order."},
    ]}  # fmt: skip
    put = acme.holding(abilities=[Ability.CATALOG_WRITE]).client.post("/api/v1/catalog/", documents, format="json")
    assert put.status_code in {200, 201}, put.content
    acme.turn("x" * 1_000)
    drain()
    with open_scope(acme.system):
        assert MemoryPassages.objects.count() == 1
        assert CatalogPassages.objects.count() == 1
    assert NEEDLE in shown(acme.recall(QUESTION, memory_types=["semantic"])["results"][0])
    answer = acme.recall("Which animal stands for us?", memory_types=["catalog"], format="prompt")
    hit = next(hit for hit in answer["results"] if hit["document_id"] == "long")
    assert "otter" in shown(hit)
    assert "Minutes: …" in answer["prompt"]["text"]


def test_a_document_that_changes_gets_new_passages(acme: Caller, drain: Drain, each_engine: str) -> None:
    writer = acme.holding(abilities=[Ability.CATALOG_WRITE]).client

    def put(text: str) -> None:
        body = {"documents": [{"id": "d", "title": "Minutes", "text": text}]}
        assert writer.post("/api/v1/catalog/", body, format="json").status_code in {200, 201}
        drain()

    put(told(LEDGER, NEEDLE, length=2_000))
    put(told(LEDGER, "Our office moved to a harbour town in Norway.", length=2_000))
    with open_scope(acme.system):
        assert CatalogPassages.objects.count() == 1
    hit = acme.recall("To which Scandinavian harbour did the office move?", memory_types=["catalog"])["results"][0]
    assert "Norway" in shown(hit)
    put("The lift is out of order.")
    with open_scope(acme.system):
        assert CatalogPassages.objects.count() == 0
    assert (
        acme.recall("To which Scandinavian harbour did the office move?", memory_types=["catalog"])["results"][0][
            "passage"
        ]
        is None
    )


def test_passages_are_nobody_elses(acme: Caller, globex: Caller, drain: Drain, each_engine: str) -> None:
    acme.turn(told(LEDGER, NEEDLE, length=2_000))
    acme.turn(told(LEDGER, NEEDLE, length=2_000), user_id="u2")
    globex.turn(told(LEDGER, "We meet on Tuesdays.", length=2_000))
    drain()
    assert all(NEEDLE not in hit["text"] for hit in globex.recall(QUESTION)["results"])
    with open_scope(globex.scope):
        assert MemoryPassages.objects.count() == 1
    other = acme.recall(QUESTION, user_id="u3")
    assert other["results"] == []


def test_passages_stay_in_their_compartment(acme: Caller, drain: Drain) -> None:
    doctor = acme.holding("doctor")
    doctor.turn(told(LEDGER, NEEDLE, length=2_000), compartments=["doctor"])
    drain()
    for caller, count in ((doctor, 1), (acme, 0)):
        with open_scope(caller.scope):
            assert MemoryPassages.objects.count() == count
        assert len(caller.recall(QUESTION)["results"]) == count


def test_erasing_a_user_leaves_no_passage(acme: Caller, drain: Drain, superuser_dsn: str) -> None:
    acme.turn(told(LEDGER, NEEDLE, length=2_000))
    drain()
    officer = acme.holding(abilities=[Ability.COMPLIANCE])
    with open_scope(acme.system):
        assert MemoryPassages.objects.get().vector_id == MemoryVector.objects.get().id
        subject = Subject.objects.get()
    assert officer.client.post(f"/api/v1/subjects/{subject.id}/erase/").status_code == 202
    with login("mneme_worker"):
        erase_task()
        with open_operator():
            assert not MemoryPassages.objects.exists()
        with psycopg.connect(superuser_dsn, dbname=DATABASE) as everything:
            counted = "SELECT count(*) FROM engine.passage"
            assert everything.execute(counted).fetchone() != (0,)  # until sync has brought the removal
            drain()
            assert everything.execute(counted).fetchone() == (0,)


def test_an_index_made_anew_has_the_passages(acme: Caller, drain: Drain) -> None:
    acme.turn(told(LEDGER, NEEDLE, length=2_000))
    drain()
    before = acme.recall(QUESTION, explain=True)["results"]
    with login("mneme_worker"):
        rebuild = begin_rebuild("episodic", engine=search_engine(), holder=uuid7(), now=timezone.now())
        assert backfill(rebuild, engine=search_engine(), model=embedder().model, now=timezone.now()) == 1
    after = acme.recall(QUESTION, explain=True, overlay=False)["results"]
    assert [hit["score"] for hit in after] == [hit["score"] for hit in before]
