"""What a model finds of entities and relations: names that stand in the turns, and how the user's own words relate them."""

from typing import Any

import pytest

from tests.consolidation.conftest import Person
from tests.consolidation.model_answers import METHOD, answered
from tests.consolidation.test_derived import revert, undo
from tests.consolidation.test_model import fact, sleep_with
from tests.consolidation.test_night import read_night
from tests.consolidation.test_summaries import model_of
from tests.model_server import model_server

SAID = "My sister Anna works at Shell."


def entity(**fields: Any) -> dict[str, Any]:
    """Return an entity as a model tells it."""
    return {"supporting_episode_ids": ["e1"], "name": "Shell", "type": "company", "aliases": [], **fields}


def relation(**fields: Any) -> dict[str, Any]:
    """Return a relation as a model tells it."""
    return {
        "supporting_episode_ids": ["e1"],
        "subject": "Anna",
        "predicate": "works_for",
        "object": "Shell",
        "quote": "My sister Anna works at Shell",
        **fields,
    }


ANNA = entity(name="Anna", type="person")


def world(ada: Person) -> list[tuple[str, str, str, float]]:
    """Return the relations, each as subject, predicate, object and weight."""
    return sorted(
        (one["subject_entity"]["name"], one["predicate"], one["object_entity"]["name"], one["weight"])
        for one in ada.get("relations/")
    )


def test_a_relation_of_somebody_of_the_users_is_kept_with_its_words(ada: Person) -> None:
    said = ada.say(SAID)
    with model_server(answered(entities=[entity(), ANNA], relations=[relation()])) as server:
        sleep_with(server)
    assert ("Anna", "works_for", "Shell", 1.0) in world(ada)
    assert {one["name"]: one["entity_type"] for one in ada.get("entities/")}.items() >= {
        ("Anna", "person"),
        ("Shell", "company"),
    }
    (decision,) = ada.decisions(verdict="related")
    words = SAID[decision["start"] : decision["end"]]
    assert (decision["turn_id"], decision["rule"], words) == (said["turn_id"], METHOD, relation()["quote"])
    assert decision["relation_id"] in [one["id"] for one in ada.get("relations/")]
    hits = ada.caller.recall("Where does Anna work?", user_id="ada")["results"]
    assert any("Shell" in hit["text"] for hit in hits)


def test_told_again_it_weighs_more_and_reverting_a_turn_takes_its_part_back(ada: Person) -> None:
    turns = [ada.say(SAID, session_id=name)["turn_id"] for name in "ab"]
    again = relation(supporting_episode_ids=["e2"])
    with model_server(answered(entities=[ANNA], relations=[relation(), again])) as server:
        sleep_with(server)
    assert ("Anna", "works_for", "Shell", 2.0) in world(ada)
    weights = [2.0]
    for turn_id in turns:
        answer = ada.caller.client.post(f"/api/v1/turns/{turn_id}/derived/revert/")
        assert answer.status_code == 200, answer.content
        weights += [weight for *names, weight in world(ada) if names == ["Anna", "works_for", "Shell"]]
    assert weights == [2.0, 1.0]


def test_reverting_twice_takes_once_and_undoing_gives_it_back(ada: Person) -> None:
    turn, _ = [ada.say(SAID, session_id=name) for name in "ab"]
    again = relation(supporting_episode_ids=["e2"])
    with model_server(answered(entities=[ANNA], relations=[relation(), relation(), again])) as server:
        sleep_with(server)
    (told,) = [one for one in world(ada) if one[1] == "works_for"]
    receipt = revert(ada, turn)
    less = ("Anna", "works_for", "Shell", told[3] - 1)
    assert less in world(ada)
    second = revert(ada, turn)
    assert less in world(ada)
    undo(ada, second)
    assert less in world(ada)
    assert undo(ada, receipt)["left"] == []
    assert told in world(ada)
    revert(ada, turn)
    assert less in world(ada)


def test_a_night_that_reads_the_turn_again_tells_nothing_twice(ada: Person) -> None:
    ada.say(SAID)
    with model_server(answered(relations=[relation()])) as server:
        sleep_with(server)
        read_night(llm=model_of(server))
        assert len(server.requests) == 2
    assert ("Anna", "works_for", "Shell", 1.0) in world(ada)
    assert len(ada.decisions(verdict="related")) == 1


@pytest.mark.parametrize(
    "bad",
    [
        {"supporting_episode_ids": ["e7"]},
        {"supporting_episode_ids": ["t1"], "quote": "Bob founded Initech"},
        {"subject": "Bob"},
        {"subject": ""},
        {"subject": 7},
        {"subject": "user"},
        {"object": "Initech"},
        {"object": "user"},
        {"object": None},
        {"object": "Anna"},
        {"predicate": "rejects"},
        {"predicate": "murdered"},
        {"predicate": "married_to"},
        {"supporting_episode_ids": ["e1"] * 21},
        {"predicate": "x; DROP TABLE"},
        {"quote": "Anna works at Shell for years"},
        {"quote": ""},
    ],
)
def test_a_relation_that_nobody_told_is_dropped(ada: Person, bad: dict[str, Any]) -> None:
    ada.say("Bob founded Initech.", role="assistant")
    ada.say(SAID)
    with model_server(answered(entities=[entity(), ANNA], relations=[relation(**bad)])) as server:
        sleep_with(server)
    assert world(ada) == []


@pytest.mark.parametrize(
    ("said", "subject", "other"),
    [
        ("I read that Elon Musk runs SpaceX.", "Elon Musk", "SpaceX"),
        ("Elon Musk runs SpaceX.", "Elon Musk", "SpaceX"),
        ("Do I work for Shell?", "user", "Shell"),
        ("If I worked for Shell, I would be rich.", "user", "Shell"),
        ('The letter says "I work for Shell".', "user", "Shell"),
        ("Tom said that I work for Shell.", "user", "Shell"),
        ("听说马斯克在特斯拉上班", "马斯克", "特斯拉"),
    ],
)
def test_strangers_questions_and_reports_relate_nobody(ada: Person, said: str, subject: str, other: str) -> None:
    ada.say(said)
    told = relation(subject=subject, object=other, quote=said)
    with model_server(answered(relations=[told])) as server:
        sleep_with(server)
    assert world(ada) == []
    assert ada.get("entities/") == []


def test_names_of_one_courier_are_one_entity(ada: Person) -> None:
    """Three names, three conversations; the model hears one courier, and so does the table of names."""
    for name, said in (("a", "我以后都用顺丰"), ("b", "I prefer SF"), ("c", "我喜欢顺丰速运")):
        ada.say(said, session_id=name)
    told = [
        entity(supporting_episode_ids=["e1", "e2", "e3"], name="顺丰速运", type="courier", aliases=["顺丰", "SF"])
    ]
    with model_server(answered(entities=told)) as server:
        sleep_with(server)
    couriers = [one for one in ada.get("entities/") if one["entity_type"] != "person"]
    assert len(couriers) == 1
    assert {couriers[0]["name"], *couriers[0]["aliases"]} >= {"顺丰", "SF", "顺丰速运"}


def test_names_that_the_words_make_one_are_one_beyond_any_table(ada: Person) -> None:
    ada.say("I work for Big Blue.", session_id="a")
    ada.say("I work for Initech, also known as Big Blue.", session_id="b")
    told = entity(supporting_episode_ids=["e2"], name="Initech", type="organisation", aliases=["Big Blue"])
    works = relation(
        supporting_episode_ids=["e2"],
        subject="user",
        object="Initech",
        quote="I work for Initech, also known as Big Blue",
    )
    with model_server(answered(entities=[told], relations=[works])) as server:
        sleep_with(server)
    firms = [one for one in ada.get("entities/") if one["entity_type"] != "person"]
    assert [{one["name"], *one["aliases"]} >= {"Initech", "Big Blue"} for one in firms] == [True]


@pytest.mark.parametrize(
    ("said", "name", "alias"),
    [
        ("I like Anna and Ben.", "Anna", "Ben"),
        ("I use Acme, Initech and Shell.", "Acme", "Initech"),
        ("I prefer SF to YTO.", "SF", "YTO"),
        ("I prefer SF to YTO.", "SF", "DHL"),
        ("I used Acme, now Initech.", "Acme", "Initech"),
    ],
)
def test_a_model_alone_makes_no_two_names_one(ada: Person, said: str, name: str, alias: str) -> None:
    ada.say(said)
    told = entity(name=name, type="company", aliases=[alias])
    likes = fact(quote=said.rstrip("."), text=f"The user speaks of {name}", predicate="other", value=name)
    with model_server(answered(facts=[likes], entities=[told])) as server:
        sleep_with(server)
    assert not any(alias in one["aliases"] and name in {one["name"], *one["aliases"]} for one in ada.get("entities/"))


def test_names_that_nothing_speaks_of_are_not_kept(ada: Person) -> None:
    ada.say("Was Coldplay in Paris last week?")
    with model_server(answered(entities=[entity(name="Coldplay", type="band")])) as server:
        sleep_with(server)
    assert ada.get("entities/") == []
