"""Playbooks, entities, relations and the catalog, from the API through the worker to recall."""

from collections.abc import Callable
from typing import Any

import pytest

from memories.services.engine import embedder
from memories.services.searched import rows_with_vectors
from tenants.scope import Ability
from tenants.services.issue_key import issue_key
from tenants.services.open_scope import open_operator
from tests.conftest import Caller, client_with, login

pytestmark = pytest.mark.usefixtures("each_engine")


@pytest.fixture
def librarian(acme: Caller) -> Any:
    """Return a client that may write the catalog."""
    from django.utils import timezone

    abilities = [Ability.CATALOG_WRITE, Ability.MEMORIES_READ]
    return client_with(issue_key(acme.system, name="catalog", abilities=abilities, now=timezone.now()).secret)


def post(caller: Caller, path: str, body: dict[str, Any], status: int = 201) -> dict[str, Any]:
    response = caller.client.post(f"/api/v1/{path}", body, format="json")
    assert response.status_code == status, response.content
    answer: dict[str, Any] = response.json()
    return answer


def kinds(answer: dict[str, Any]) -> dict[str, str]:
    """Return the best hit of each kind."""
    return {hit["memory_type"]: hit["text"] for hit in reversed(answer["results"])}


@pytest.mark.parametrize("drained", [False, True])
def test_one_question_reaches_every_kind(
    acme: Caller, librarian: Any, drain: Callable[[], None], drained: bool
) -> None:
    acme.turn("The Zigbee hub lost my lamps again")
    post(acme, "memories/", {"user_id": "u1", "text": "The Zigbee hub stands in the hall"})
    post(
        acme, "procedures/", {"user_id": "u1", "trigger": "Zigbee lamps drop off", "steps": ["Move the hub", "Pair"]}
    )
    hub = post(
        acme, "entities/", {"user_id": "u1", "entity_type": "device", "name": "Zigbee hub", "aliases": ["hub"]}
    )
    lamp = post(acme, "entities/", {"user_id": "u1", "entity_type": "device", "name": "lamp"})
    post(acme, "relations/", {"user_id": "u1", "subject_entity_id": hub["id"], "predicate": "controls",
                              "object_entity_id": lamp["id"]})  # fmt: skip
    put = librarian.post(
        "/api/v1/catalog/", {"documents": [{"id": "kb/7", "title": "Zigbee hub", "text": "Channel 25 is quietest."}]},
        format="json",
    )  # fmt: skip
    assert put.json() == {"created": 1, "updated": 0, "unchanged": 0}
    if drained:
        drain()
    found = acme.recall("Zigbee hub", top_k=20, overlay=not drained)
    assert set(kinds(found)) == {"episodic", "semantic", "procedural", "entity", "relation", "catalog"}
    assert kinds(found)["relation"] == "Zigbee hub controls lamp"
    assert kinds(found)["procedural"] == "Zigbee lamps drop off\n1. Move the hub\n2. Pair"
    some = acme.recall("Zigbee hub", top_k=20, memory_types=["semantic", "catalog"])
    assert set(kinds(some)) == {"semantic", "catalog"}
    without = acme.recall("Zigbee hub", top_k=20, include_catalog=False)
    assert "catalog" not in kinds(without)


def test_a_lone_fact_is_not_buried_by_many_turns(acme: Caller, drain: Callable[[], None]) -> None:
    turns = [
        {"user_id": "u1", "session_id": f"s{n}", "content": f"We talked about lamp number {n}"} for n in range(60)
    ]
    post(acme, "turns/batch/", {"turns": turns})
    post(acme, "memories/", {"user_id": "u1", "text": "The favourite lamp is the green one in the hall"})
    drain()
    first = acme.recall("Which is the favourite lamp?", overlay=False)["results"][0]
    assert first["text"] == "The favourite lamp is the green one in the hall"


def test_a_playbook_counts_its_outcomes_and_is_refined(acme: Caller, drain: Callable[[], None]) -> None:
    first = post(acme, "procedures/", {"user_id": "u1", "trigger": "lamps drop off", "steps": ["Reset the hub"]})
    for outcome in ("failure", "failure", "success"):
        counted = post(acme, f"procedures/{first['id']}/outcome/", {"outcome": outcome}, status=200)
    assert (counted["success_count"], counted["failure_count"], counted["revision"]) == (1, 2, 1)
    refined = acme.client.patch(
        f"/api/v1/procedures/{first['id']}/", {"steps": ["Move the hub", "Pair again"]}, format="json"
    ).json()
    assert (refined["revision"], refined["success_count"], refined["failure_count"]) == (2, 0, 0)
    assert refined["trigger"] == "lamps drop off"
    drain()
    (hit,) = [hit for hit in acme.recall("lamps drop off")["results"] if hit["memory_type"] == "procedural"]
    assert hit["memory_id"] == refined["id"]
    closed = acme.client.post(f"/api/v1/procedures/{first['id']}/outcome/", {"outcome": "success"}, format="json")
    assert closed.status_code == 409
    chain = acme.client.get(f"/api/v1/memories/{refined['id']}/history/").json()["versions"]
    assert [row["id"] for row in chain] == [first["id"], refined["id"]]
    listed = acme.client.get("/api/v1/procedures/?user_id=u1").json()["results"]
    assert [row["id"] for row in listed] == [refined["id"]]


def test_an_entity_renamed_is_found_by_its_new_name_in_all_that_names_it(
    acme: Caller, drain: Callable[[], None]
) -> None:
    one = post(acme, "entities/", {"user_id": "u1", "entity_type": "courier", "name": "Shunfeng"})
    two = post(acme, "entities/", {"user_id": "u1", "entity_type": "city", "name": "Hangzhou"})
    relation = post(acme, "relations/", {"user_id": "u1", "subject_entity_id": one["id"], "predicate": "delivers to",
                                         "object_entity_id": two["id"]})  # fmt: skip
    again = post(acme, "relations/", {"user_id": "u1", "subject_entity_id": one["id"], "predicate": "delivers to",
                                      "object_entity_id": two["id"]}, status=200)  # fmt: skip
    assert (again["id"], again["weight"]) == (relation["id"], 2.0)
    drain()
    tag = f'"{one["version"]}"'
    changed = acme.client.patch(
        f"/api/v1/entities/{one['id']}/",
        {"name": "顺丰速运", "aliases": ["顺丰", "SF"]},
        format="json",
        HTTP_IF_MATCH=tag,
    )
    assert changed.status_code == 200, changed.content
    drain()
    assert kinds(acme.recall("顺丰", overlay=False)) == {
        "entity": "顺丰速运, 顺丰, SF",
        "relation": "顺丰速运 delivers to Hangzhou",
    }
    stale = acme.client.patch(f"/api/v1/entities/{one['id']}/", {"name": "x"}, format="json", HTTP_IF_MATCH=tag)
    assert stale.status_code == 412
    taken = acme.client.post(
        "/api/v1/entities/", {"user_id": "u1", "entity_type": "city", "name": "Hangzhou"}, format="json"
    )
    assert taken.status_code == 409
    assert acme.client.delete(f"/api/v1/entities/{one['id']}/").status_code == 204
    drain()
    assert "顺丰" not in str(acme.recall("顺丰")["results"])
    assert acme.client.get(f"/api/v1/relations/{relation['id']}/").json()["id"] == relation["id"]


def test_the_catalog_is_replaced_by_id_and_embedded_anew(
    acme: Caller, librarian: Any, drain: Callable[[], None]
) -> None:
    documents = [{"id": f"kb/{n}", "title": f"Lamp {n}", "text": f"Lamp {n} is yellow"} for n in range(3)]
    assert librarian.post("/api/v1/catalog/", {"documents": documents}, format="json").json()["created"] == 3
    drain()
    documents[1]["text"] = "Lamp 1 is vermilion"
    put = librarian.post("/api/v1/catalog/", {"documents": documents}, format="json").json()
    assert put == {"created": 0, "updated": 1, "unchanged": 2}
    row = librarian.get("/api/v1/catalog/kb/1/").json()
    key = ("catalog", row["id"])
    with login("mneme_worker"), open_operator():
        (held,) = rows_with_vectors([key], model=embedder().model).values()
        assert held.embedding is None
    drain()
    assert kinds(acme.recall("vermilion", overlay=False))["catalog"] == "Lamp 1 is vermilion"
    assert librarian.delete("/api/v1/catalog/kb/1/").status_code == 204
    drain()
    assert "vermilion" not in str(acme.recall("vermilion lamp", overlay=False))
    assert acme.client.post("/api/v1/catalog/", {"documents": documents}, format="json").status_code == 403
    faults = librarian.post("/api/v1/catalog/", {"documents": [{"id": "a"}]}, format="json")
    assert faults.status_code == 400
    assert {fault["field"] for fault in faults.json()["errors"]} >= {"documents.0.text"}


def test_nothing_of_a_foreign_tenant_is_reachable_by_id(acme: Caller, globex: Caller, librarian: Any) -> None:
    entity = post(globex, "entities/", {"user_id": "u1", "entity_type": "pet", "name": "Quill"})
    other = post(globex, "entities/", {"user_id": "u1", "entity_type": "pet", "name": "Bramble"})
    relation = post(globex, "relations/", {"user_id": "u1", "subject_entity_id": entity["id"], "predicate": "likes",
                                           "object_entity_id": other["id"]})  # fmt: skip
    playbook = post(globex, "procedures/", {"user_id": "u1", "trigger": "t", "steps": ["s"]})
    for path in (f"entities/{entity['id']}/", f"relations/{relation['id']}/", f"procedures/{playbook['id']}/"):
        assert acme.client.get(f"/api/v1/{path}").status_code == 404, path
        assert acme.client.delete(f"/api/v1/{path}").status_code in {404, 405}, path
    own = post(acme, "entities/", {"user_id": "u1", "entity_type": "pet", "name": "Quill"})
    for field in ("subject_entity_id", "object_entity_id"):
        body = {"user_id": "u1", "subject_entity_id": own["id"], "predicate": "likes", "object_entity_id": own["id"],
                field: entity["id"]}  # fmt: skip
        assert post(acme, "relations/", body, status=400)["errors"][0]["field"] == field
    assert post(acme, "memories/", {"text": "x", "entity_id": entity["id"]}, 400)["errors"][0]["field"] == "entity_id"
    assert librarian.get("/api/v1/catalog/kb/7/").status_code == 404


def test_a_key_for_some_kinds_reaches_no_other(acme: Caller) -> None:
    from django.utils import timezone

    entity = post(acme, "entities/", {"user_id": "u1", "entity_type": "pet", "name": "Quill"})
    fact = post(acme, "memories/", {"user_id": "u1", "text": "Quill is a heron"})
    abilities = [Ability.MEMORIES_READ, Ability.MEMORIES_WRITE, Ability.CATALOG_WRITE]
    issued = issue_key(acme.system, name="turns", abilities=abilities, kinds=["episodic"], now=timezone.now())
    client = client_with(issued.secret)
    assert client.get(f"/api/v1/memories/{fact['id']}/").status_code == 404
    assert client.get("/api/v1/memories/").json()["results"] == []
    for method, path, body in (
        ("get", "entities/", None), ("get", f"entities/{entity['id']}/", None),
        ("delete", f"entities/{entity['id']}/", None), ("post", "entities/", {"entity_type": "pet", "name": "x"}),
        ("get", "relations/", None), ("get", "catalog/", None),
        ("post", "catalog/", {"documents": [{"id": "a", "text": "b"}]}), ("post", "memories/", {"text": "x"}),
        ("post", "recall/", {"query": "heron", "memory_types": ["semantic"]}),
    ):  # fmt: skip
        answer = getattr(client, method)(f"/api/v1/{path}", body, format=None if body is None else "json")
        assert answer.status_code == 403, (method, path, answer.content)
