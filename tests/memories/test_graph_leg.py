"""The graph leg: memories that share no word with the question, found through the entities that it names."""

from collections.abc import Callable
from typing import Any

from tests.conftest import Caller

Drain = Callable[[], None]


def post(caller: Caller, path: str, **body: Any) -> dict[str, Any]:
    answer = caller.client.post(f"/api/v1/{path}/", {"user_id": "u1", **body}, format="json")
    assert answer.status_code == 201, answer.content
    said: dict[str, Any] = answer.json()
    return said


def test_what_is_about_a_named_entity_or_its_neighbour_is_among_the_candidates(acme: Caller, drain: Drain) -> None:
    courier = post(acme, "entities", entity_type="courier", name="SF Express", aliases=["顺丰", "SF"])
    depot = post(acme, "entities", entity_type="place", name="Dongguan depot")
    post(acme, "relations", subject_entity_id=courier["id"], predicate="ships from", object_entity_id=depot["id"])
    direct = post(acme, "memories", text="They never deliver on public holidays", entity_id=courier["id"])
    beside = post(acme, "memories", text="Its gate closes at nine in the evening", entity_id=depot["id"])
    for number in range(120):
        acme.turn(f"the weather on day {number} was fine and I went out for a walk", session_id=f"s{number % 6}")
    drain()
    for query in ("What is known of SF Express?", "顺丰怎么样?"):
        hits = acme.recall(query, top_k=100, explain=True)["results"]
        nearness = {hit["memory_id"]: hit["explain"]["parts"].get("graph") for hit in hits}
        assert nearness[direct["id"]] == 2 * nearness[beside["id"]] > 0
        assert hits[0]["memory_id"] == courier["id"]
    assert all("graph" not in hit["explain"]["parts"] for hit in acme.recall("the weather", explain=True)["results"])


def test_anothers_entity_is_no_way_to_anything(acme: Caller, globex: Caller, drain: Drain) -> None:
    courier = post(globex, "entities", entity_type="courier", name="SF Express")
    post(globex, "memories", text="They never deliver on public holidays", entity_id=courier["id"])
    acme.turn("I like SF Express")
    drain()
    hits = acme.recall("SF Express", explain=True)["results"]
    assert [hit["text"] for hit in hits] == ["I like SF Express"]
    assert "graph" not in hits[0]["explain"]["parts"]
