"""Bristol, then Edinburgh, and a sister: old truth gives way, and stays on the record."""

from collections.abc import Callable

from consolidation.services.work import Worked
from tenants.scope import Ability
from tests.consolidation.conftest import Person


def test_a_move_supersedes_and_the_old_is_recalled_when_asked_for(
    each_engine: str, ada: Person, sleep: Callable[[], Worked], drain: Callable[[], None]
) -> None:
    said = ada.say("I live in Bristol.", occurred_at="2026-01-10T10:00:00Z")
    assert sleep().counts == {"added": 1}
    (fact,) = ada.facts()
    assert (fact["text"], fact["slot"]) == ("The user lives in Bristol", "residence")
    assert fact["valid_from"].startswith("2026-01-10")
    (step,) = ada.caller.client.get(f"/api/v1/memories/{fact['id']}/source/").json()["sources"]
    assert (step["turn"]["turn_id"], step["turn"]["text"], step["intact"]) == (
        said["turn_id"],
        "I live in Bristol",
        True,
    )
    assert (step["source_type"], step["method"]) == ("user", "en.lives_in")
    left = ada.say("We left Bristol, we're in Edinburgh now.", occurred_at="2026-04-10T10:00:00Z")
    assert sleep().counts == {"superseded": 1}
    assert ada.texts() == ["The user lives in Edinburgh"]
    (old,) = ada.facts(status="superseded")
    assert (old["text"], old["contradiction"]) == ("The user lives in Bristol", "natural")
    drain()
    asking = {"user_id": "ada", "memory_types": ["semantic"]}
    now = ada.caller.recall("Where does the user live?", **asking)["results"]
    assert [(hit["text"], hit["source"]["turn_id"]) for hit in now] == [
        ("The user lives in Edinburgh", left["turn_id"])
    ]
    blind = ada.caller.holding(abilities=[Ability.MEMORIES_READ])
    assert [hit["source"] for hit in blind.recall("Where does the user live?", **asking)["results"]] == [None]
    ever = ada.caller.recall(
        "Which places has the user lived in?", user_id="ada", memory_types=["semantic"], include_superseded=True
    )
    assert {hit["text"] for hit in ever["results"]} == {"The user lives in Edinburgh", "The user lives in Bristol"}


def test_what_never_was_true_is_denied_harshly(ada: Person, sleep: Callable[[], Worked]) -> None:
    ada.say("I live in Bristol.", occurred_at="2026-01-10T10:00:00Z")
    sleep()
    ada.say("I never lived in Bristol, that was my sister.", occurred_at="2026-02-10T10:00:00Z")
    assert sleep().counts == {"denied": 1}
    (fact,) = ada.facts()
    assert (fact["text"], fact["slot"]) == ("The user never lived in Bristol", None)
    assert fact["confidence"] == 0.7
    (old,) = ada.facts(status="superseded")
    assert (old["text"], old["contradiction"]) == ("The user lives in Bristol", "harsh")


def test_the_same_in_chinese(ada: Person, sleep: Callable[[], Worked]) -> None:
    ada.say("我住在上海。", occurred_at="2026-01-10T10:00:00Z")
    ada.say("我从上海搬到杭州了。", occurred_at="2026-02-10T10:00:00Z")
    assert sleep().counts == {"added": 1, "superseded": 1}
    assert ada.texts() == ["用户住在杭州"]
    assert ada.texts(status="superseded") == ["用户住在上海"]


def test_a_back_filled_statement_does_not_beat_a_newer_one(ada: Person, sleep: Callable[[], Worked]) -> None:
    ada.say("I live in Edinburgh.", occurred_at="2026-04-10T10:00:00Z")
    sleep()
    ada.say("I live in Bristol.", occurred_at="2019-05-01T10:00:00Z", session_id="imported")
    assert sleep().counts == {"past": 1}
    facts = {fact["text"]: fact["valid_to"] for fact in ada.facts()}
    assert facts["The user lives in Edinburgh"] is None
    assert facts["The user lives in Bristol"].startswith("2026-04-10")
    recalled = ada.caller.recall("Where does the user live?", user_id="ada", memory_types=["semantic"])["results"]
    assert [hit["text"] for hit in recalled] == ["The user lives in Edinburgh"]


def test_a_fact_that_a_caller_wrote_is_met_too(ada: Person, sleep: Callable[[], Worked]) -> None:
    body = {"user_id": "ada", "text": "Sarah lives in Bristol", "valid_from": "2026-01-01T00:00:00Z"}
    assert ada.caller.client.post("/api/v1/memories/", body, format="json").status_code == 201
    ada.say("We moved from Bristol to Edinburgh.", occurred_at="2026-04-10T10:00:00Z")
    assert sleep().counts == {"superseded": 1}
    assert ada.texts() == ["The user lives in Edinburgh"]


def test_said_again_is_counted_with_its_source_and_not_stored_again(ada: Person, sleep: Callable[[], Worked]) -> None:
    for day, words in enumerate(
        ("I live in Edinburgh.", "Hi, I'm living in Edinburgh", "By the way, I live in Edinburgh now"), start=1
    ):
        ada.say(words, occurred_at=f"2026-01-{day:02}T10:00:00Z")
    assert sleep().counts == {"added": 1, "repeated": 2}
    (fact,) = ada.facts()
    assert fact["frequency"] == 3
    steps = ada.caller.client.get(f"/api/v1/memories/{fact['id']}/source/").json()["sources"]
    assert len(steps) == 3
