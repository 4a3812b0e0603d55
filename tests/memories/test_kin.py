"""Parents and siblings of recalled memories, on request."""

from collections.abc import Callable
from typing import Any

from tenants.scope import Ability
from tests.conftest import Caller


def learn(caller: Caller, text: str, *sources: dict[str, Any], **more: Any) -> dict[str, Any]:
    body = {"user_id": "u1", "text": text, "sources": list(sources), **more}
    answer = caller.client.post("/api/v1/memories/", body, format="json")
    assert answer.status_code == 201, answer.content
    said: dict[str, Any] = answer.json()
    return said


def test_a_fact_has_its_turn_and_what_else_was_made_of_it(acme: Caller, drain: Callable[[], None]) -> None:
    turn = acme.turn("I moved to Edinburgh and bought a canoe")
    home = learn(acme, "Lives in Edinburgh", {"turn_id": turn["turn_id"]})
    boat = learn(acme, "Owns a canoe", {"turn_id": turn["turn_id"]})
    drain()
    hits = {hit["memory_id"]: hit for hit in acme.recall("canoe in Edinburgh, paddle", include_kin=True)["results"]}
    assert hits[home["id"]]["kin"]["turns"] == [turn["turn_id"]]
    assert boat["id"] in {one["memory_id"] for one in hits[home["id"]]["kin"]["siblings"]}
    assert {home["id"], boat["id"]} <= {one["memory_id"] for one in hits[turn["memory_id"]]["kin"]["siblings"]}
    assert "kin" not in acme.recall("canoe")["results"][0]
    later = learn(acme, "Owns two canoes", supersedes_id=boat["id"])
    drain()
    after = {hit["memory_id"]: hit for hit in acme.recall("Edinburgh", include_kin=True)["results"]}
    assert boat["id"] not in {one["memory_id"] for one in after[home["id"]]["kin"]["siblings"]}
    (changed,) = [
        hit for hit in acme.recall("canoes", include_kin=True)["results"] if hit["memory_id"] == later["id"]
    ]
    assert [one["text"] for one in changed["kin"]["parents"]] == ["Owns a canoe"]


def test_it_needs_the_right_to_read_provenance_and_shows_no_other_compartment(
    acme: Caller, drain: Callable[[], None]
) -> None:
    turn = acme.turn("I moved to Edinburgh and bought a canoe")
    learn(acme, "Lives in Edinburgh", {"turn_id": turn["turn_id"]})
    doctor = acme.holding("doctor")
    learn(doctor, "Paddling is good for the back", {"turn_id": turn["turn_id"]}, compartments=["doctor"])
    drain()
    reader = acme.holding(abilities=[Ability.MEMORIES_READ])
    refused = reader.client.post("/api/v1/recall/", {"query": "canoe", "include_kin": True}, format="json")
    assert refused.status_code == 403
    for caller, seen in ((acme, False), (doctor, True)):
        hits = caller.recall("Edinburgh", include_kin=True)["results"]
        said = {one["text"] for hit in hits for one in hit["kin"]["siblings"]}
        assert ("Paddling is good for the back" in said) is seen
