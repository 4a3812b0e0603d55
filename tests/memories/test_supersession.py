"""Supersession from the API through the worker to recall: Bristol, Edinburgh, and what never was."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tenants.scope import Ability
from tenants.services.issue_key import issue_key
from tests.conftest import Caller, client_with
from tests.plugin import DATABASE

pytestmark = pytest.mark.usefixtures("each_engine")

BRISTOL, EDINBURGH, LEEDS = "Sarah lives in Bristol", "Sarah lives in Edinburgh", "Sarah lives in Leeds"


def write(caller: Caller, text: str, *, status: int = 201, **fields: Any) -> dict[str, Any]:
    body = {"user_id": "sarah", "text": text, **fields}
    response = caller.client.post("/api/v1/memories/", body, format="json")
    assert response.status_code == status, response.content
    answer: dict[str, Any] = response.json()
    return answer


def texts(caller: Caller, query: str = "Where does Sarah live?", **fields: Any) -> list[str]:
    return [hit["text"] for hit in caller.recall(query, user_id="sarah", **fields)["results"]]


def act(caller: Caller, memory_id: str, verb: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    response = caller.client.post(f"/api/v1/memories/{memory_id}/{verb}/", body or {}, format="json")
    assert response.status_code == 201, response.content
    answer: dict[str, Any] = response.json()
    return answer


@pytest.mark.parametrize("drained", [False, True])
def test_a_move_hides_the_old_home_and_keeps_it(acme: Caller, drain: Callable[[], None], drained: bool) -> None:
    old = write(acme, BRISTOL, slot="residence", valid_from="2020-01-01T00:00:00Z")
    new = write(acme, EDINBURGH, slot="residence", supersedes_id=old["id"], valid_from="2026-03-01T00:00:00Z")
    last = write(acme, LEEDS, slot="residence", supersedes_id=new["id"], valid_from="2026-09-01T00:00:00Z")
    if drained:
        drain()
    assert texts(acme) == [LEEDS]
    assert set(texts(acme, include_superseded=True)) == {BRISTOL, EDINBURGH, LEEDS}
    assert texts(acme, valid_at="2021-06-01T00:00:00Z") == [BRISTOL]
    assert texts(acme, valid_at="2026-04-01T00:00:00Z") == [EDINBURGH]
    assert texts(acme, valid_at="2026-10-01T00:00:00Z") == [LEEDS]
    assert texts(acme, valid_at="2019-01-01T00:00:00Z") == []
    assert texts(acme, as_of=old["recorded_at"]) == [BRISTOL]
    assert texts(acme, as_of=new["recorded_at"]) == [EDINBURGH]
    assert texts(acme, as_of=last["recorded_at"]) == [LEEDS]
    assert texts(acme, as_of=old["recorded_at"], valid_at="2026-10-01T00:00:00Z") == [BRISTOL]
    assert texts(acme, as_of="2020-01-01T00:00:00Z") == []
    chain = acme.client.get(f"/api/v1/memories/{new['id']}/history/").json()["versions"]
    assert [(row["text"], row["status"], row["contradiction"]) for row in chain] == [
        (BRISTOL, "superseded", "natural"),
        (EDINBURGH, "superseded", "natural"),
        (LEEDS, "active", None),
    ]
    assert [row["superseded_by"] for row in chain] == [new["id"], last["id"], None]
    assert [row["confidence"] for row in chain] == [1.0, 1.0, 1.0]


def test_what_never_was_is_gone_at_every_world_time_and_costs_confidence(
    acme: Caller, drain: Callable[[], None]
) -> None:
    wrong = write(acme, BRISTOL, slot="residence", valid_from="2020-01-01T00:00:00Z", confidence=0.95)
    denial = "Sarah's sister lived in Bristol, Sarah never did"
    right = write(acme, denial, slot="residence", supersedes_id=wrong["id"], contradiction="harsh", confidence=0.9)
    assert right["confidence"] == pytest.approx(0.7)
    drain()
    assert texts(acme) == [denial]
    assert texts(acme, valid_at="2021-06-01T00:00:00Z") == []
    assert texts(acme, as_of=wrong["recorded_at"]) == [BRISTOL]
    assert set(texts(acme, include_superseded=True)) == {BRISTOL, denial}
    hits = acme.recall("Bristol", user_id="sarah", include_superseded=True)["results"]
    assert {hit["text"]: hit["contradiction"] for hit in hits} == {BRISTOL: "harsh", denial: None}


def test_two_supersessions_at_once_are_one_success_and_one_conflict(acme: Caller) -> None:
    old = write(acme, BRISTOL, slot="residence")

    def move(to: str) -> int:
        try:
            body = {"user_id": "sarah", "text": to, "slot": "residence", "supersedes_id": old["id"]}
            client = client_with(acme.secret)
            return int(client.post("/api/v1/memories/", body, format="json").status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=2) as pool:
        assert sorted(pool.map(move, (EDINBURGH, LEEDS))) == [201, 409]
    with ThreadPoolExecutor(max_workers=2) as pool:
        assert sorted(pool.map(move, (EDINBURGH, LEEDS))) == [409, 409]
    active = acme.client.get("/api/v1/memories/?user_id=sarah").json()["results"]
    (home,) = [row for row in active if row["slot"] == "residence"]
    assert home["text"] in (EDINBURGH, LEEDS)


def test_a_taken_slot_says_who_holds_it(acme: Caller) -> None:
    old = write(acme, BRISTOL, slot="residence")
    problem = write(acme, EDINBURGH, slot="residence", status=409)
    assert problem["type"] == "/problems/slot-taken/"
    assert old["id"] in problem["detail"]
    assert texts(acme, "Edinburgh") == [BRISTOL]


def test_the_same_text_again_is_one_memory_said_twice(acme: Caller) -> None:
    first = write(acme, "Sarah's cat is called Quill")
    again = write(acme, "Sarah's  cat is called quill", status=200)
    assert (again["id"], again["created"], again["frequency"]) == (first["id"], False, 2)


def test_a_correction_and_its_undoing(acme: Caller, drain: Callable[[], None]) -> None:
    wrong = write(acme, "Sarah's flat has 2 rooms", tags=["home"])
    tag = acme.client.get(f"/api/v1/memories/{wrong['id']}/")["ETag"]
    right = acme.client.patch(
        f"/api/v1/memories/{wrong['id']}/", {"text": "Sarah's flat has 3 rooms"}, format="json", HTTP_IF_MATCH=tag
    ).json()
    assert right["tags"] == ["home"]
    drain()
    assert texts(acme, "How many rooms?") == ["Sarah's flat has 3 rooms"]
    stale = acme.client.delete(f"/api/v1/memories/{right['id']}/", HTTP_IF_MATCH='"1"')
    assert stale.status_code == 412
    closed = acme.client.patch(f"/api/v1/memories/{wrong['id']}/", {"text": "other"}, format="json")
    assert closed.status_code == 409
    act(acme, wrong["id"], "restore")
    drain()
    assert texts(acme, "How many rooms?") == ["Sarah's flat has 2 rooms"]
    verbs = acme.client.get(f"/api/v1/memories/{wrong['id']}/history/").json()["versions"]
    assert [row["replaced_by_verb"] for row in verbs] == ["correct", "restore", None]


def test_what_ended_is_hidden_now_and_true_before(acme: Caller, drain: Callable[[], None]) -> None:
    job = write(acme, "Sarah works at the harbour office", valid_from="2022-01-01T00:00:00Z")
    act(acme, job["id"], "invalidate", {"at": "2025-01-01T00:00:00Z"})
    drain()
    question = "Where does Sarah work?"
    assert texts(acme, question) == []
    assert texts(acme, question, valid_at="2024-01-01T00:00:00Z") == ["Sarah works at the harbour office"]
    assert texts(acme, question, valid_at="2025-06-01T00:00:00Z") == []
    assert "Sarah works at the harbour office" in texts(acme, question, include_superseded=True)
    again = acme.client.post(f"/api/v1/memories/{job['id']}/invalidate/", {}, format="json")
    assert again.status_code == 409
    flat = write(acme, "Sarah rents a flat", valid_from="2022-01-01T00:00:00Z")
    early = acme.client.post(
        f"/api/v1/memories/{flat['id']}/invalidate/", {"at": "2021-01-01T00:00:00Z"}, format="json"
    )
    assert (early.status_code, early.json()["errors"][0]["field"]) == (400, "at")
    for body in ({"valid_to": "2021-01-01T00:00:00Z"}, {"valid_from": "2023-01-01T00:00:00Z", "valid_to":
                 "2022-01-01T00:00:00Z"}):  # fmt: skip
        period = acme.client.patch(f"/api/v1/memories/{flat['id']}/", body, format="json")
        assert (period.status_code, period.json()["errors"][0]["field"]) == (400, "valid_to")
    assert write(acme, "x", valid_to="2021-01-01T00:00:00Z", status=400)["errors"][0]["field"] == "valid_to"


def test_retracting_the_successor_revives_what_it_contradicted(acme: Caller, drain: Callable[[], None]) -> None:
    old = write(acme, BRISTOL, slot="residence")
    new = write(acme, EDINBURGH, slot="residence", supersedes_id=old["id"])
    assert acme.client.delete(f"/api/v1/memories/{new['id']}/").status_code == 204
    drain()
    assert texts(acme) == [BRISTOL]
    hit = acme.recall("Where does Sarah live?", user_id="sarah")["results"][0]
    assert hit["restores"] == old["id"] != hit["memory_id"]
    assert acme.client.delete(f"/api/v1/memories/{new['id']}/").status_code == 409


def test_what_rests_on_a_retracted_memory_alone_goes_with_it(acme: Caller, drain: Callable[[], None]) -> None:
    one, two = write(acme, "Sarah has a dog"), write(acme, "Sarah has a garden")
    alone = write(acme, "Sarah needs dog food", parent_ids=[one["id"]])
    both = write(acme, "Sarah's dog digs in the garden", parent_ids=[one["id"], two["id"]])
    assert acme.client.delete(f"/api/v1/memories/{one['id']}/").status_code == 204
    drain()
    rows = [acme.client.get(f"/api/v1/memories/{memory['id']}/").json() for memory in (one, two, alone, both)]
    status = {row["id"]: row["status"] for row in rows}
    assert status == {one["id"]: "retracted", two["id"]: "active", alone["id"]: "retracted", both["id"]: "active"}


def test_an_expired_memory_is_never_recalled(acme: Caller, drain: Callable[[], None]) -> None:
    write(acme, "Sarah's parcel is on its way", category="progress")
    write(acme, "Sarah likes parcels", ttl_days=400)
    drain()
    assert set(texts(acme, "parcel")) == {"Sarah's parcel is on its way", "Sarah likes parcels"}
    later = "2027-03-01T00:00:00Z"
    assert texts(acme, "parcel", valid_at=later) == ["Sarah likes parcels"]
    assert texts(acme, "parcel", valid_at="2030-01-01T00:00:00Z", include_superseded=True) == []


def test_an_unsure_memory_is_kept_and_not_recalled(acme: Caller, drain: Callable[[], None]) -> None:
    pending = write(acme, "Sarah may like golf", confidence=0.5)
    assert pending["status"] == "pending"
    drain()
    assert texts(acme, "golf") == []
    assert write(acme, "x", confidence=0.5, supersedes_id=pending["id"], status=400)["type"] == "/problems/invalid/"


def test_an_idempotency_key_makes_one_memory(acme: Caller) -> None:
    body = {"user_id": "sarah", "text": "Sarah plays chess"}
    first, second = (
        acme.client.post("/api/v1/memories/", body, format="json", HTTP_IDEMPOTENCY_KEY="k") for _ in range(2)
    )
    assert (first.status_code, second.status_code) == (201, 201)
    assert second["Idempotency-Replayed"] == "true"
    assert first.json()["id"] == second.json()["id"]
    assert second.json()["frequency"] == 1


def test_another_tenants_or_users_memory_is_no_memory(acme: Caller, globex: Caller) -> None:
    theirs = write(globex, BRISTOL)
    for method, path in (
        ("get", ""), ("patch", ""), ("delete", ""), ("post", "correct/"), ("post", "invalidate/"),
        ("post", "restore/"), ("get", "history/"), ("get", "source/"),
    ):  # fmt: skip
        body = {"text": "x"} if path == "correct/" or method == "patch" else {}
        call = getattr(acme.client, method)
        answer = call(f"/api/v1/memories/{theirs['id']}/{path}", body, format="json" if method != "get" else None)
        assert answer.status_code == 404, (method, path, answer.content)
    assert write(acme, "x", supersedes_id=theirs["id"], status=400)["errors"][0]["field"] == "supersedes_id"
    assert write(acme, "x", parent_ids=[theirs["id"]], status=400)["errors"][0]["field"] == "parent_ids.0"
    other = write(acme, "Tom lives in York", user_id="tom")
    assert write(acme, "x", supersedes_id=other["id"], status=400)["errors"][0]["field"] == "supersedes_id"


def test_a_fact_walks_to_the_span_of_its_turn(acme: Caller, drain: Callable[[], None]) -> None:
    said = "By the way, 我搬到了爱丁堡 last week 🏠, and the hub is in the hall."
    turn = acme.turn(said, user_id="sarah", session_id="s")
    start = said.index("我搬")
    fact = write(acme, EDINBURGH, sources=[{"turn_id": turn["turn_id"], "start": start, "end": start + 8}])
    (step,) = acme.client.get(f"/api/v1/memories/{fact['id']}/source/").json()["sources"]
    assert step["turn"]["text"] == "我搬到了爱丁堡 "
    assert (step["turn"]["start"], step["turn"]["end"], step["intact"]) == (start, start + 8, True)
    (whole,) = acme.client.get(f"/api/v1/memories/{turn['memory_id']}/source/").json()["sources"]
    assert (whole["turn"]["text"], whole["intact"], whole["method"]) == (said, True, "verbatim")
    bad = write(acme, "x", sources=[{"turn_id": turn["turn_id"], "start": 5, "end": 500}], status=400)
    assert bad["errors"][0]["field"] == "sources.0"
    derived = write(acme, "Sarah needs a Scottish doctor", parent_ids=[fact["id"]])
    steps = acme.client.get(f"/api/v1/memories/{derived['id']}/source/").json()["sources"]
    assert [(row["depth"], row["turn"] and row["turn"]["text"]) for row in steps] == [
        (0, None),
        (1, "我搬到了爱丁堡 "),
    ]


def test_a_retraction_whose_predecessor_was_said_anew_leaves_it_closed(acme: Caller) -> None:
    old = write(acme, BRISTOL)
    new = write(acme, EDINBURGH, supersedes_id=old["id"])
    anew = write(acme, BRISTOL)
    assert acme.client.delete(f"/api/v1/memories/{new['id']}/").status_code == 204
    active = acme.client.get("/api/v1/memories/?user_id=sarah").json()["results"]
    assert [row["id"] for row in active] == [anew["id"]]


def test_a_correction_passes_on_what_it_contradicted_and_what_rests_on_it(acme: Caller) -> None:
    old = write(acme, BRISTOL)
    new = write(acme, EDINBURGH, supersedes_id=old["id"])
    derived = write(acme, "Sarah needs a Scottish doctor", parent_ids=[new["id"]])
    tagged = acme.client.patch(f"/api/v1/memories/{new['id']}/", {"tags": ["home"]}, format="json").json()
    assert acme.client.delete(f"/api/v1/memories/{tagged['id']}/").status_code == 204
    active = acme.client.get("/api/v1/memories/?user_id=sarah").json()["results"]
    assert [(row["text"], row["restores"]) for row in active] == [(BRISTOL, old["id"])]
    assert acme.client.get(f"/api/v1/memories/{derived['id']}/").json()["status"] == "retracted"


def test_evidence_lost_piece_by_piece_is_lost_in_the_end(acme: Caller) -> None:
    one, two = write(acme, "Sarah has a dog"), write(acme, "Sarah has a garden")
    turn = acme.turn("The dog digs", user_id="sarah", session_id="s")
    both = write(acme, "Sarah's dog digs", parent_ids=[one["id"], two["id"]], sources=[{"turn_id": turn["turn_id"]}])
    for gone, status in ((one["id"], "active"), (turn["memory_id"], "active"), (two["id"], "retracted")):
        assert acme.client.delete(f"/api/v1/memories/{gone}/").status_code == 204
        assert acme.client.get(f"/api/v1/memories/{both['id']}/").json()["status"] == status


def test_what_is_shared_rests_on_what_is_shared_only(acme: Caller) -> None:
    private = write(acme, "Sarah's own")
    turn = acme.turn("private words", user_id="sarah", session_id="s")
    pet = {"user_id": "sarah", "entity_type": "pet", "name": "Quill"}
    entity = acme.client.post("/api/v1/entities/", pet, format="json").json()
    for field, value in (
        ("parent_ids", [private["id"]]), ("sources", [{"turn_id": turn["turn_id"]}]), ("entity_id", entity["id"]),
    ):  # fmt: skip
        for user_id in ({}, {"user_id": "tom"}):
            body = {"text": "for all", field: value, **user_id}
            answer = acme.client.post("/api/v1/memories/", body, format="json")
            assert answer.status_code == 400, (field, user_id)
            assert answer.json()["errors"][0]["field"].startswith(field)


def test_a_memory_is_restored_once(acme: Caller) -> None:
    job = write(acme, "Sarah works at the harbour", valid_to="2099-01-01T00:00:00Z")
    assert acme.client.delete(f"/api/v1/memories/{job['id']}/").status_code == 204
    act(acme, job["id"], "restore")
    again = acme.client.post(f"/api/v1/memories/{job['id']}/restore/", {}, format="json")
    assert (again.status_code, again.json()["type"]) == (409, "/problems/not-open/")


def test_a_pending_memory_can_be_taken_back(acme: Caller) -> None:
    pending = write(acme, "Sarah may like golf", confidence=0.5)
    assert acme.client.delete(f"/api/v1/memories/{pending['id']}/").status_code == 204
    assert acme.client.get(f"/api/v1/memories/{pending['id']}/").json()["status"] == "retracted"


def test_a_category_corrected_moves_the_end_of_its_life(acme: Caller) -> None:
    fact = write(acme, "Sarah's parcel is on its way")
    assert fact["expires_at"] is None
    moved = acme.client.patch(f"/api/v1/memories/{fact['id']}/", {"category": "progress"}, format="json").json()
    assert moved["expires_at"] is not None


def test_a_change_that_waited_is_told_after_its_wait(acme: Caller, superuser_dsn: str) -> None:
    fact = write(acme, "Sarah's door is red")

    def repaint() -> int:
        try:
            client = client_with(acme.secret)
            body = {"text": "Sarah's door is blue"}
            return int(client.post(f"/api/v1/memories/{fact['id']}/correct/", body, format="json").status_code)
        finally:
            connection.close()

    with psycopg.connect(superuser_dsn, dbname=DATABASE) as holder, ThreadPoolExecutor(max_workers=1) as pool:
        holder.execute("SELECT FROM memories_memory WHERE id = %s FOR NO KEY UPDATE", [fact["id"]])
        waiting = pool.submit(repaint)
        time.sleep(1)
        asked_at = timezone.now().isoformat()
        assert texts(acme, "door", as_of=asked_at) == ["Sarah's door is red"]
        holder.rollback()
        assert waiting.result(20) == 201
    assert texts(acme, "door", as_of=asked_at) == ["Sarah's door is red"]
    assert texts(acme, "door") == ["Sarah's door is blue"]


def test_long_chains_of_corrections_cost_no_square(acme: Caller) -> None:
    first = write(acme, "Sarah has a dog")
    other = write(acme, "Sarah has a garden")
    latest = first
    for number in range(40):
        body = {"importance": number / 100}
        latest = acme.client.post(f"/api/v1/memories/{latest['id']}/correct/", body, format="json").json()
    children = [write(acme, f"child {n}", parent_ids=[first["id"], other["id"]]) for n in range(5)]
    with CaptureQueriesContext(connection) as captured:
        assert acme.client.delete(f"/api/v1/memories/{other['id']}/").status_code == 204
    assert len(captured) < 150
    status = {acme.client.get(f"/api/v1/memories/{child['id']}/").json()["status"] for child in children}
    assert status == {"active"}


def test_an_unsure_memory_taken_back_is_not_restored_into_a_fact(acme: Caller) -> None:
    pending = write(acme, "Sarah may like golf", confidence=0.05)
    assert acme.client.delete(f"/api/v1/memories/{pending['id']}/").status_code == 204
    assert acme.client.post(f"/api/v1/memories/{pending['id']}/restore/", {}, format="json").status_code == 409


def test_a_slot_is_held_for_its_time(acme: Caller) -> None:
    start, end = "2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z"
    lease: dict[str, Any] = {"slot": "lease", "valid_from": start, "valid_to": end}
    held = write(acme, "Sarah rents flat 2", **lease)
    assert held["id"] in write(acme, "Sarah rents flat 3", status=409, **lease)["detail"]
    write(acme, "Sarah rents flat 4", slot="lease", valid_from=end)
    late = {"at": "2031-01-01T00:00:00Z"}
    longer = acme.client.post(f"/api/v1/memories/{held['id']}/invalidate/", late, format="json")
    assert (longer.status_code, longer.json()["errors"][0]["field"]) == (400, "at")


def test_who_may_only_write_is_told_nothing_of_what_was_there(acme: Caller) -> None:
    secret: dict[str, Any] = {"metadata": {"pin": "4711"}, "sensitive_notes": "an illness"}
    fact = write(acme, "Sarah has a dog", **secret)
    issued = issue_key(acme.system, name="writer", abilities=[Ability.MEMORIES_WRITE], now=timezone.now())
    writer = client_with(issued.secret)
    said = writer.post("/api/v1/memories/", {"user_id": "sarah", "text": "sarah HAS a dog"}, format="json")
    corrected = writer.post(f"/api/v1/memories/{fact['id']}/correct/", {"importance": 0.9}, format="json")
    for answer in (said, corrected):
        assert answer.status_code in (200, 201)
        assert answer.json().keys() <= {"id", "memory_type", "version", "status", "created"}


def test_nothing_is_written_about_an_entity_that_is_being_closed(acme: Caller) -> None:
    pet = {"user_id": "sarah", "entity_type": "pet", "name": "Quill"}
    entity = acme.client.post("/api/v1/entities/", pet, format="json").json()
    other = acme.client.post("/api/v1/entities/", {**pet, "name": "Bramble"}, format="json").json()

    def call(number: int) -> None:
        try:
            client = client_with(acme.secret)
            if number == 3:
                client.delete(f"/api/v1/entities/{entity['id']}/")
            else:
                relation = {"user_id": "sarah", "subject_entity_id": entity["id"], "predicate": f"p{number}",
                            "object_entity_id": other["id"]}  # fmt: skip
                client.post("/api/v1/relations/", relation, format="json")
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=8) as pool:
        list(pool.map(call, range(8)))
    assert acme.client.get(f"/api/v1/relations/?entity_id={entity['id']}").json()["results"] == []
