"""Entities that are one by their names: united where the name is the same, asked about where it is likely, else left."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from consolidation.rules.name_likeness import likely_same, same_name
from consolidation.services.same_entities import ASKED_MAX
from consolidation.services.work import Worked
from tenants.models import Event
from tenants.services.open_scope import open_scope
from tests.conftest import Caller
from tests.consolidation.conftest import Person
from tests.consolidation.test_merges import entity, fact, send

NAMES: dict[str, list[list[str]]] = json.loads(
    (Path(__file__).parent / "name_pairs.json").read_text(encoding="utf-8")
)


def pairs(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("one", "other"), [tuple(pair) for pair in NAMES[name]])


@pairs("same")
def test_letter_case_and_legal_forms_make_no_other_name(one: str, other: str) -> None:
    assert same_name(one, other)
    assert same_name(other, one)


@pairs("likely")
def test_what_is_likely_is_asked_and_not_done(one: str, other: str) -> None:
    assert not same_name(one, other)
    assert likely_same(one, other, entity_type="organisation")
    assert likely_same(other, one, entity_type="organisation")


@pairs("different")
@pytest.mark.parametrize("entity_type", ["organisation", "thing", "place"])
def test_what_only_sounds_alike_is_not_even_asked_about(one: str, other: str, entity_type: str) -> None:
    assert not likely_same(one, other, entity_type=entity_type)
    assert not likely_same(other, one, entity_type=entity_type)


@pytest.mark.parametrize(
    ("one", "other", "asked"),
    [
        ("Anna", "Anna Smith", True),
        ("Anna", "Anja", False),
        ("张伟", "张薇", False),
        ("Anna Smith", "Anna Jones", False),
    ],
)
def test_a_person_may_have_a_surname(one: str, other: str, asked: bool) -> None:
    assert likely_same(one, other, entity_type="person") is asked


def woken(ada: Person, sleep: Callable[[], Worked]) -> None:
    """Let something be read, after which entities are looked at."""
    ada.say("I live in Leeds.")
    sleep()


def open_merges(ada: Person) -> list[dict[str, Any]]:
    return [review for review in ada.get("reviews/", state="open") if review["kind"] == "merge"]


def entities(ada: Person, kind: str) -> dict[str, list[str]]:
    return {one["name"]: one["aliases"] for one in ada.get("entities/", entity_type=kind)}


def test_the_same_name_in_other_letters_is_united_by_itself_and_can_be_parted_for_good(
    ada: Person, sleep: Callable[[], Worked]
) -> None:
    ids = [entity(ada, name, entity_type="company") for name in ("Acme Corp", "ACME", "Acme Corporation", "Globex")]
    fact(ada, "Pays on the 25th", ids[1])
    woken(ada, sleep)
    assert entities(ada, "company") == {"Acme Corp": ["ACME", "Acme Corporation"], "Globex": []}
    assert {row["entity_id"] for row in ada.facts() if row["text"] == "Pays on the 25th"} == {ids[0]}
    with open_scope(ada.caller.system):
        merged = Event.objects.filter(kind="entity.merged").values_list("data", flat=True)
        assert [data["why"] for data in merged] == ["same_name", "same_name"]
    send(ada.caller, f"entities/{ids[1]}/unmerge/")
    ada.say("I have a dog called Rex.")
    sleep()
    assert set(entities(ada, "company")) == {"Acme Corp", "ACME", "Globex"}
    assert open_merges(ada) == []


def test_what_is_likely_is_accepted_by_a_person(ada: Person, sleep: Callable[[], Worked]) -> None:
    one = entity(ada, "Barclays", entity_type="company")
    other = entity(ada, "Barclays Bank", entity_type="organisation")
    fact(ada, "Charges a fee for cards", other)
    woken(ada, sleep)
    (review,) = open_merges(ada)
    named = [review[key] for key in ("entity_id", "entity_name", "other_entity_id", "other_entity_name", "memory_id")]
    assert named == [one, "Barclays", other, "Barclays Bank", None]
    assert set(entities(ada, "company")) | set(entities(ada, "organisation")) == {"Barclays", "Barclays Bank"}
    accepted = send(ada.caller, f"reviews/{review['id']}/accept/")
    assert accepted["state"] == "accepted"
    assert entities(ada, "company") == {"Barclays": ["Barclays Bank"]}
    assert {row["entity_id"] for row in ada.facts() if row["text"].startswith("Charges")} == {one}
    send(ada.caller, f"entities/{other}/unmerge/")
    assert entities(ada, "organisation") == {"Barclays Bank": []}


def test_what_is_rejected_is_never_asked_again(ada: Person, sleep: Callable[[], Worked]) -> None:
    entity(ada, "Barclays", entity_type="company")
    entity(ada, "Barclays Bank", entity_type="company")
    woken(ada, sleep)
    (review,) = open_merges(ada)
    assert send(ada.caller, f"reviews/{review['id']}/reject/")["state"] == "rejected"
    ada.say("I have a dog called Rex.")
    sleep()
    assert open_merges(ada) == []
    assert set(entities(ada, "company")) == {"Barclays", "Barclays Bank"}


def test_a_list_of_likely_names_is_asked_about_in_turns_and_sure_ones_wait_for_none(
    ada: Person, sleep: Callable[[], Worked]
) -> None:
    letters = [
        "Alpine",
        "Borax",
        "Cobalt",
        "Dorset",
        "Ember",
        "Fjord",
        "Granite",
        "Harvest",
        "Indigo",
        "Juniper",
        "Kestrel",
        "Lagoon",
        "Meadow",
        "Nimbus",
    ]
    letters += ["Orchid", "Pelican", "Quarry", "Raven", "Saffron", "Tundra", "Umbra", "Velvet"]
    for letter in letters:
        entity(ada, letter, entity_type="company")
        entity(ada, f"{letter} Bank", entity_type="company")
    entity(ada, "Zephyr Corp", entity_type="company")
    entity(ada, "ZEPHYR", entity_type="company")
    woken(ada, sleep)
    assert len(open_merges(ada)) == ASKED_MAX
    assert entities(ada, "company")["Zephyr Corp"] == ["ZEPHYR"]
    ada.say("I have a dog called Rex.")
    sleep()
    assert len(open_merges(ada)) == len(letters)
    ada.say("I have a cat called Tom.")
    sleep()
    assert len(open_merges(ada)) == len(letters)


def test_what_was_merged_meanwhile_cannot_be_accepted(ada: Person, sleep: Callable[[], Worked]) -> None:
    one = entity(ada, "Barclays", entity_type="company")
    other = entity(ada, "Barclays Bank", entity_type="company")
    woken(ada, sleep)
    (review,) = open_merges(ada)
    send(ada.caller, f"entities/{one}/merge/", {"entity_id": other})
    problem = send(ada.caller, f"reviews/{review['id']}/accept/", status=409)
    assert (problem["type"], "reject the review" in problem["detail"]) == ("/problems/not-mergeable/", True)
    assert send(ada.caller, f"reviews/{review['id']}/reject/")["state"] == "rejected"


@pytest.mark.parametrize(("one", "other", "kind"), [("Shell", "Bell", "company"), ("张伟", "张薇", "person"),
                                                    ("iPhone 12", "iPhone 13", "thing"), ("anna", "Anna", "person")])  # fmt: skip
def test_what_only_sounds_alike_and_people_are_left(
    ada: Person, sleep: Callable[[], Worked], one: str, other: str, kind: str
) -> None:
    for name in (one, other):
        entity(ada, name, entity_type=kind)
    woken(ada, sleep)
    assert {one, other} <= set(entities(ada, kind))
    assert len(open_merges(ada)) == (one.casefold() == other.casefold())


def test_a_company_and_a_thing_of_one_name_are_asked_about(ada: Person, sleep: Callable[[], Worked]) -> None:
    entity(ada, "Apple", entity_type="company")
    entity(ada, "apple", entity_type="thing")
    woken(ada, sleep)
    assert (set(entities(ada, "company")), set(entities(ada, "thing"))) == ({"Apple"}, {"apple"})
    assert len(open_merges(ada)) == 1


def test_another_tenants_and_another_users_entities_are_never_looked_at(
    ada: Person, globex: Caller, sleep: Callable[[], Worked]
) -> None:
    entity(ada, "Barclays", entity_type="company")
    for person in (Person(caller=ada.caller, user_id="bob"), Person(caller=globex, user_id="ada")):
        entity(person, "Barclays Bank", entity_type="company")
        woken(person, sleep)
    woken(ada, sleep)
    assert open_merges(ada) == []
    stranger = globex.holding(abilities=["review", "memories:write"])
    entity(ada, "Barclays Bank", entity_type="company")
    ada.say("I have a dog called Rex.")
    sleep()
    (review,) = open_merges(ada)
    assert stranger.client.post(f"/api/v1/reviews/{review['id']}/accept/", {}, format="json").status_code == 404


def test_a_key_that_may_not_read_entities_sees_no_names_and_merges_nothing(
    ada: Person, sleep: Callable[[], Worked]
) -> None:
    entity(ada, "Barclays", entity_type="company")
    entity(ada, "Barclays Bank", entity_type="company")
    woken(ada, sleep)
    (review,) = open_merges(ada)
    narrow = ada.caller.holding(abilities=["review", "memories:write"], kinds=["semantic"])
    (seen,) = narrow.client.get("/api/v1/reviews/").json()["results"]
    assert (seen["entity_name"], seen["other_entity_name"]) == (None, None)
    refused = narrow.client.post(f"/api/v1/reviews/{review['id']}/accept/", {}, format="json")
    assert refused.status_code == 403, refused.content
    assert set(entities(ada, "company")) == {"Barclays", "Barclays Bank"}
