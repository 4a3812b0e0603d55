"""Two entities that are one, and two that are not after all: merged, found by any name, and parted as they were."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from consolidation.services.work import Worked
from tenants.models import Event
from tenants.services.open_scope import open_scope
from tests.conftest import Caller
from tests.consolidation.conftest import Person

Json = dict[str, Any]


def send(caller: Caller, path: str, body: Json | None = None, *, status: int = 200) -> Json:
    """Send a POST and return its answer, of the status that is expected."""
    answer = caller.client.post(f"/api/v1/{path}", body or {}, format="json")
    assert answer.status_code == status, answer.content
    read: Json = answer.json()
    return read


def entity(person: Person, name: str, *aliases: str, entity_type: str = "courier", **fields: Any) -> str:
    body = {"user_id": person.user_id, "entity_type": entity_type, "name": name, "aliases": list(aliases), **fields}
    return str(send(person.caller, "entities/", body, status=201)["id"])


def fact(person: Person, text: str, about: str, *, status: int = 201, **fields: Any) -> Json:
    body = {"user_id": person.user_id, "text": text, "entity_id": about, **fields}
    return send(person.caller, "memories/", body, status=status)


def relate(person: Person, one: str, predicate: str, other: str, **fields: Any) -> str:
    body = {"user_id": person.user_id, "subject_entity_id": one, "predicate": predicate, "object_entity_id": other}
    answer = person.caller.client.post("/api/v1/relations/", {**body, **fields}, format="json")
    assert answer.status_code in (200, 201), answer.content
    return str(answer.json()["id"])


def world(person: Person) -> tuple[Any, ...]:
    """Return all that is open, as far as it is told, without versions."""
    entities = {one["id"]: (one["name"], one["aliases"], one["attributes"]) for one in person.get("entities/")}
    relations = {
        one["id"]: (one["subject_entity"]["id"], one["predicate"], one["object_entity"]["id"], one["weight"])
        for one in person.get("relations/")
    }
    facts = {one["id"]: (one["text"], one["entity_id"]) for one in person.facts()}
    return entities, relations, facts


def couriers(ada: Person) -> tuple[str, str]:
    """Plant 顺丰速运 and SF with facts and relations of both, one relation being the same."""
    one = entity(ada, "顺丰速运", "顺丰", attributes={"phone": "95338"})
    other = entity(ada, "SF", "SF Express", "顺丰", attributes={"phone": "1", "colour": "black"})
    me = entity(ada, "Ada", entity_type="person")
    hub = entity(ada, "Shenzhen hub", entity_type="place")
    fact(ada, "Delivers on Sundays", one)
    fact(ada, "Lost the parcel with the lamp", other)
    fact(ada, "Delivers on Sundays", other)
    relate(ada, me, "prefers", one)
    relate(ada, me, "prefers", other, weight=2)
    relate(ada, other, "ships from", hub)
    relate(ada, one, "same owner as", other)
    return one, other


def test_a_merge_points_everything_at_the_survivor_which_is_found_by_any_name(
    ada: Person, drain: Callable[[], None]
) -> None:
    one, other = couriers(ada)
    drain()
    done = send(ada.caller, f"entities/{one}/merge/", {"entity_id": other})
    assert (done["survivor_id"], done["merged_id"], done["why"], done["unmerged_at"]) == (one, other, "asked", None)
    entities, relations, facts = world(ada)
    assert other not in entities
    assert entities[one] == ("顺丰速运", ["顺丰", "SF", "SF Express"], {"phone": "95338", "colour": "black"})
    said = {(predicate, weight) for start, predicate, end, weight in relations.values() if one in (start, end)}
    assert said == {("prefers", 3.0), ("ships from", 1.0)}
    assert ("Lost the parcel with the lamp", one) in facts.values()
    for _ in range(2):  # by what waits for the engine, then by the engine
        for name in ("顺丰", "SF Express", "顺丰速运"):
            found = {hit["text"] for hit in ada.caller.recall(f"{name} ?", user_id="ada", limit=20)["results"]}
            assert {"Delivers on Sundays", "Lost the parcel with the lamp"} <= found, name
        drain()


def test_an_unmerge_leaves_everything_as_it_was(ada: Person, drain: Callable[[], None]) -> None:
    one, other = couriers(ada)
    before = world(ada)
    done = send(ada.caller, f"entities/{one}/merge/", {"entity_id": other})
    assert world(ada) != before
    undone = send(ada.caller, f"entities/{other}/unmerge/")
    assert undone["id"] == done["id"]
    assert undone["unmerged_at"] is not None
    assert world(ada) == before
    send(ada.caller, f"entities/{other}/unmerge/", status=404)
    send(ada.caller, f"entities/{other}/merge/", {"entity_id": one})  # and the other way round
    send(ada.caller, f"entities/{one}/unmerge/")
    assert world(ada) == before
    with open_scope(ada.caller.system):
        noted = Event.objects.filter(kind__startswith="entity.").exclude(kind="entity.added").order_by("id")
        assert [event.kind for event in noted] == ["entity.merged", "entity.unmerged"] * 2


def test_what_came_after_a_merge_stays_sensibly_placed(ada: Person) -> None:
    one, other = couriers(ada)
    send(ada.caller, f"entities/{one}/merge/", {"entity_id": other})
    (lost,) = [found for found in ada.facts() if found["text"].startswith("Lost")]
    corrected = send(
        ada.caller, f"memories/{lost['id']}/correct/", {"text": "Lost the parcel with the desk"}, status=201
    )
    learnt = fact(ada, "Charges 12 yuan", one)
    send(ada.caller, f"entities/{other}/unmerge/")
    about = {found["id"]: found["entity_id"] for found in ada.facts()}
    assert about[corrected["id"]] == other  # the same memory, said better
    assert about[learnt["id"]] == one


def test_three_that_are_one_are_parted_without_losing_a_name(ada: Person) -> None:
    one = entity(ada, "顺丰速运")
    second, third = entity(ada, "SF", "S.F."), entity(ada, "SF Express", "S.F.")
    before = world(ada)
    send(ada.caller, f"entities/{one}/merge/", {"entity_id": second})
    send(ada.caller, f"entities/{one}/merge/", {"entity_id": third})
    send(ada.caller, f"entities/{second}/unmerge/")
    assert world(ada)[0][one][1] == ["S.F.", "SF Express"]
    send(ada.caller, f"entities/{third}/unmerge/")
    assert world(ada) == before


def test_what_two_were_merged_over_is_parted_in_turn(ada: Person) -> None:
    me, one = entity(ada, "Ada", entity_type="person"), entity(ada, "顺丰速运")
    second, third = entity(ada, "SF"), entity(ada, "SF Express")
    relate(ada, me, "prefers", second)
    relate(ada, me, "prefers", third)
    before = world(ada)
    send(ada.caller, f"entities/{one}/merge/", {"entity_id": second})
    send(ada.caller, f"entities/{one}/merge/", {"entity_id": third})
    refused = send(ada.caller, f"entities/{second}/unmerge/", status=409)
    assert refused["type"] == "/problems/not-mergeable/"
    assert third in refused["detail"]
    send(ada.caller, f"entities/{third}/unmerge/")
    send(ada.caller, f"entities/{second}/unmerge/")
    assert world(ada) == before


def test_there_is_no_chain_and_no_cycle(ada: Person) -> None:
    one, second, third = entity(ada, "A1"), entity(ada, "A2"), entity(ada, "A3")
    send(ada.caller, f"entities/{one}/merge/", {"entity_id": one}, status=409)
    send(ada.caller, f"entities/{one}/merge/", {"entity_id": second})
    send(ada.caller, f"entities/{second}/merge/", {"entity_id": one}, status=404)
    send(ada.caller, f"entities/{third}/merge/", {"entity_id": second}, status=400)
    send(ada.caller, f"entities/{third}/merge/", {"entity_id": one})
    waits = send(ada.caller, f"entities/{second}/unmerge/", status=409)
    assert one in waits["detail"]
    send(ada.caller, f"entities/{one}/unmerge/")
    send(ada.caller, f"entities/{second}/unmerge/")
    assert {name for name, *_ in world(ada)[0].values()} == {"A1", "A2", "A3"}


def test_two_that_contradict_each_other_in_a_slot_are_not_merged(ada: Person) -> None:
    one, other = entity(ada, "Kim", entity_type="person"), entity(ada, "Kim Lee", entity_type="person")
    fact(ada, "Kim lives in Leeds", one, slot="residence")
    fact(ada, "Kim Lee lives in Busan", other, slot="residence")
    before = world(ada)
    refused = send(ada.caller, f"entities/{one}/merge/", {"entity_id": other}, status=409)
    assert "slot" in refused["detail"]
    assert world(ada) == before


def test_users_compartments_and_tenants_are_never_merged(ada: Person, agent: Caller, globex: Caller) -> None:
    mine, bobs = entity(ada, "SF"), entity(Person(caller=agent, user_id="bob"), "SF")
    send(agent, f"entities/{mine}/merge/", {"entity_id": bobs}, status=409)
    holder = Person(caller=agent.holding("legal"), user_id="ada")
    sealed = entity(holder, "SF", compartments=["legal"])
    send(holder.caller, f"entities/{mine}/merge/", {"entity_id": sealed}, status=409)
    send(agent, f"entities/{mine}/merge/", {"entity_id": sealed}, status=400)  # it is not there for this key
    theirs = entity(Person(caller=globex, user_id="ada"), "SF")
    send(agent, f"entities/{mine}/merge/", {"entity_id": theirs}, status=400)
    send(agent, f"entities/{theirs}/merge/", {"entity_id": mine}, status=404)
    send(globex, f"entities/{mine}/unmerge/", status=404)


def test_what_the_caller_does_not_see_goes_along(ada: Person, agent: Caller) -> None:
    one, other = entity(ada, "顺丰速运"), entity(ada, "SF")
    holder = Person(caller=agent.holding("legal"), user_id="ada")
    sealed = fact(holder, "Is being sued", other, compartments=["legal"])
    send(agent, f"entities/{one}/merge/", {"entity_id": other})
    assert {found["id"]: found["entity_id"] for found in holder.facts()}[sealed["id"]] == one
    send(agent, f"entities/{other}/unmerge/")
    assert {found["id"]: found["entity_id"] for found in holder.facts()}[sealed["id"]] == other


def test_a_stale_version_merges_nothing(ada: Person) -> None:
    one, other = entity(ada, "顺丰速运"), entity(ada, "SF")
    answer = ada.caller.client.post(
        f"/api/v1/entities/{one}/merge/", {"entity_id": other}, format="json", headers={"If-Match": '"1"'}
    )
    assert answer.status_code == 412, answer.content
    assert len(world(ada)[0]) == 2


def test_merges_at_once_both_ways_leave_one_survivor(ada: Person) -> None:
    one, other = couriers(ada)
    before, answers = world(ada), list[int]()

    def go(survivor: str, merged: str) -> None:
        try:
            path = f"/api/v1/entities/{survivor}/merge/"
            answers.append(ada.caller.client.post(path, {"entity_id": merged}, format="json").status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=go, args=pair) for pair in [(one, other), (other, one)] * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers.count(200) == 1, answers
    assert set(answers) <= {200, 400, 404}
    left = set(world(ada)[0]) & {one, other}
    assert len(left) == 1
    (merged,) = {one, other} - left
    send(ada.caller, f"entities/{merged}/unmerge/")
    assert world(ada) == before


@pytest.mark.parametrize("entity_type", ["courier", "company"])
def test_consolidation_merges_what_its_table_knows_to_be_one(
    ada: Person, sleep: Callable[[], Worked], entity_type: str
) -> None:
    mine = entity(ada, "SF", entity_type=entity_type)
    fact(ada, "Delivers on Sundays", mine)
    also = entity(ada, "顺丰快递", entity_type=entity_type)
    fact(ada, "Lost a parcel", also)
    said = ada.say("以后都帮我发顺丰")
    sleep()
    (left,) = [one for one in ada.get("entities/") if one["entity_type"] == entity_type]
    assert {left["name"], *left["aliases"]} >= {"SF", "顺丰快递", "顺丰", "顺丰速运"}
    assert {
        found["entity_id"] for found in ada.facts() if found["text"] in ("Delivers on Sundays", "Lost a parcel")
    } == {left["id"]}
    (decision,) = ada.decisions(verdict="merged")
    assert (decision["why"], decision["turn_id"]) == ("alias_table", said["turn_id"])
    merged = also if left["id"] == mine else mine
    send(ada.caller, f"entities/{merged}/unmerge/")
    ada.say("我还是选SF吧")
    sleep()
    assert len([one for one in ada.get("entities/") if one["entity_type"] == entity_type]) == 2  # it was told so


def test_names_that_only_look_alike_are_not_merged(ada: Person, sleep: Callable[[], Worked]) -> None:
    entity(ada, "Alexander", "Alex", entity_type="organisation")
    entity(ada, "Alexandra", "Alex", entity_type="organisation")
    ada.say("I work for Alex.")
    sleep()
    assert len([one for one in ada.get("entities/") if one["entity_type"] == "organisation"]) == 2
    assert ada.decisions(verdict="merged") == []
