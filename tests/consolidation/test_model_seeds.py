"""A model that behaves, on the worked examples that memory services are measured by: the hub, the move, the couriers."""

from collections.abc import Callable
from typing import Any

import pytest

from consolidation.services.work import Worked
from tests.consolidation.conftest import Person
from tests.consolidation.model_answers import METHOD, STEPS, answered, counts, known_playbook, sources
from tests.consolidation.test_model import fact, sleep_with
from tests.consolidation.test_night import read_night
from tests.consolidation.test_summaries import model_of
from tests.model_server import model_server

VAIN = "I reset the hub, but it still only shows white."
BETTER = "Resetting was in vain again. Move the hub away from the router first, then pair the bulb again."


def test_the_hub_was_reset_twice_in_vain_and_the_better_steps_are_recalled(ada: Person) -> None:
    known = known_playbook(ada)
    turns: list[str] = []
    for day, last in (("2026-03-02", VAIN), ("2026-06-01", BETTER)):
        for second, (role, said) in enumerate(
            (
                ("user", "My smart bulb only shows white."),
                ("assistant", "Please reset the hub, then pair the bulb again."),
                ("user", last),
            )
        ):
            at = f"{day}T10:00:0{second}Z"
            turns.append(ada.say(said, session_id=day, role=role, occurred_at=at)["turn_id"])
    told: dict[str, Any] = {"playbook": "p1", "outcome": "failure", "refined_steps": None}
    updates = [
        {**told, "supporting_episode_ids": ["e1", "t1", "e2"], "quote": "it still only shows white"},
        {
            **told,
            "supporting_episode_ids": ["e3", "t2", "e4"],
            "quote": "Resetting was in vain again",
            "refined_steps": ["Move the hub away from the router", "Pair the bulb again"],
        },
    ]
    with model_server(answered(playbook_updates=updates)) as server:
        sleep_with(server)
        episodes = server.asked()["episodes"]
    assert [[one["id"] for one in episode.get("evidence_for_playbooks_only", [])] for episode in episodes] == [
        [], ["t1"], [], ["t2"],
    ]  # fmt: skip
    assert counts(ada, known) == (0, 2)
    (revision,) = ada.get("procedures/")
    assert revision["steps"] == ["Move the hub away from the router", "Pair the bulb again"]
    assert (revision["revision"], revision["success_count"], revision["failure_count"]) == (2, 0, 0)
    walk = sources(ada, revision["id"])
    assert turns[-1] in [step["turn"]["turn_id"] for step in walk if step["turn"]]
    assert METHOD in [step["method"] for step in walk]
    hits = ada.caller.recall("The smart bulb only shows white", user_id="ada", memory_types=["procedural"])["results"]
    assert [hit["memory_id"] for hit in hits] == [revision["id"]]
    both = ada.caller.recall(
        "The smart bulb only shows white", user_id="ada", memory_types=["procedural"], include_superseded=True
    )["results"]
    assert {hit["memory_id"] for hit in both} == {revision["id"], known}


def test_what_the_model_learnt_by_night_counts_nothing_twice(ada: Person, sleep: Callable[[], Worked]) -> None:
    """Read turn by turn, and once more: the outcome that a turn told is counted once."""
    known = known_playbook(ada)
    ada.say("My smart bulb only shows white, so I did reset the hub. Hooray, it is in colour again")
    told = {
        "supporting_episode_ids": ["e1"], "playbook": "p1", "outcome": "success", "quote": "in colour again",
        "refined_steps": None,
    }  # fmt: skip

    with model_server(answered(playbook_updates=[told])) as server:
        sleep_with(server)
        assert counts(ada, known) == (1, 0)
        read_night(llm=model_of(server))
        assert len(server.requests) == 2
    assert counts(ada, known) == (1, 0)
    assert [one["steps"] for one in ada.get("procedures/")] == [STEPS]


def test_a_long_preference_and_what_was_rejected(ada: Person) -> None:
    ada.say("以后都帮我发顺丰，别用圆通了")
    likes = fact(
        quote="以后都帮我发顺丰", text="用户长期偏好顺丰快递", predicate="prefers", value="顺丰",
        slot="preferred courier", category="preference", importance=0.9, confidence=0.95,
    )  # fmt: skip
    relations = [
        {
            "supporting_episode_ids": ["e1"],
            "subject": "用户",
            "predicate": "prefers",
            "object": "顺丰",
            "quote": "以后都帮我发顺丰",
        },
        {
            "supporting_episode_ids": ["e1"],
            "subject": "用户",
            "predicate": "rejects",
            "object": "圆通",
            "quote": "以后都帮我发顺丰，别用圆通了",
        },
    ]
    entities = [
        {"supporting_episode_ids": ["e1"], "name": name, "type": "courier", "aliases": []}
        for name in ("顺丰", "圆通")
    ]
    with model_server(answered(facts=[likes], entities=entities, relations=relations)) as server:
        sleep_with(server)
    told = {(one["predicate"], one["object_entity"]["name"]): one["weight"] for one in ada.get("relations/")}
    assert told[("prefers", "顺丰速运")] == 1.0
    assert told[("rejects", "圆通速递")] == 1.0
    assert len([one for one in ada.get("entities/") if one["entity_type"] == "courier"]) == 2
    found = ada.caller.recall("我最近对快递有什么要求吗", user_id="ada")["results"]
    assert any("顺丰" in hit["text"] for hit in found)


@pytest.mark.parametrize(
    ("words", "fields", "kept"),
    [
        ("I rent a boat since 3 May 2024", {"valid_from": "2024-05-03"}, {"valid_from": "2024-05-03"}),
        ("I rent a boat since 3 May 2024", {"valid_from": "2023-05-03"}, {"valid_from": "2026-06-01"}),
        ("I rent a boat until 2027-02-01", {"valid_to": "2027-02-01"}, {"valid_to": "2027-02-01"}),
        ("I rent a boat until 2027-02-01", {"valid_to": "2028-02-01"}, {"valid_to": None}),
        ("I rent a boat", {"valid_from": "2020-01-01", "valid_to": "2030-01-01"}, {"valid_from": "2026-06-01", "valid_to": None}),
        ("I rent a boat until 2020-02-01", {"valid_to": "2020-02-01"}, {"valid_to": None}),
        ("I rent a boat since 2030-02-01", {"valid_from": "2030-02-01"}, {"valid_from": "2026-06-01"}),
        ("I rent a boat", {"valid_from": "last year", "valid_to": 7}, {"valid_from": "2026-06-01", "valid_to": None}),
        ("I rent a boat", {"category": "leisure", "importance": 0.8}, {"category": "leisure", "importance": 0.8}),
        ("I rent a boat", {"category": "admin", "importance": 5}, {"category": None, "importance": 0.5}),
    ],
)  # fmt: skip
def test_periods_and_weights_are_as_the_words_have_them(
    ada: Person, words: str, fields: dict[str, Any], kept: dict[str, Any]
) -> None:
    ada.say(words, occurred_at="2026-06-01T00:00:00Z")
    told = fact(quote=words, text="The user rents a boat", predicate="other", value="boat", **fields)
    with model_server(answered(facts=[told])) as server:
        sleep_with(server)
    (found,) = [one for one in ada.facts() if one["text"] == "The user rents a boat"]
    seen = {name: found[name] for name in kept}
    assert {
        name: value[:10] if isinstance(value, str) and value[:2] == "20" else value for name, value in seen.items()
    } == kept


@pytest.mark.parametrize(
    ("words", "days", "expires"),
    [("I rent a boat this summer", 90, True), ("I rent a boat", 1, False), ("I rent a boat for now", -3, False)],
)
def test_only_what_passes_by_its_own_words_expires(ada: Person, words: str, days: int, expires: bool) -> None:
    ada.say(words)
    told = fact(quote=words, text="The user rents a boat", predicate="other", value="boat", ttl_days=days)
    with model_server(answered(facts=[told])) as server:
        sleep_with(server)
    (found,) = [one for one in ada.facts() if one["text"] == "The user rents a boat"]
    assert (found["expires_at"] is not None) is expires
