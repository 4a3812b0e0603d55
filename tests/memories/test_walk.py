"""Every memory of the samples walks to the right span of the right turn, and an altered turn is noticed."""

from typing import Any

import psycopg

from memory_site.demo.samples import SampleSession, load_sessions
from tests.conftest import Caller
from tests.plugin import DATABASE


def sources(caller: Caller, memory_id: str) -> list[dict[str, Any]]:
    answer = caller.client.get(f"/api/v1/memories/{memory_id}/source/")
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = answer.json()["sources"]
    return found


def replay(caller: Caller, session: SampleSession) -> list[tuple[dict[str, Any], str]]:
    """Record a session; return what the API answered to each turn, with what was said."""
    turns = [
        {
            "session_id": session.session_id,
            "role": turn.role,
            "content": turn.content,
            "occurred_at": turn.occurred_at.isoformat(),
            **({"user_id": session.user_id} if session.user_id else {}),
            **({"speaker": turn.speaker} if turn.speaker else {}),
        }
        for turn in session.turns
    ]
    answer = caller.client.post("/api/v1/turns/batch/", {"turns": turns}, format="json")
    assert answer.status_code == 201, answer.content
    return list(zip(answer.json()["turns"], [turn.content for turn in session.turns], strict=True))


def test_any_memory_of_the_samples_walks_to_its_turn_and_to_any_span_of_it(acme: Caller) -> None:
    walked = 0
    for session in load_sessions():
        if session.tenant != "acme":
            continue
        for recorded, content in replay(acme, session):
            if recorded["memory_id"] is None:
                continue
            (step,) = sources(acme, recorded["memory_id"])
            assert (step["turn"]["turn_id"], step["turn"]["position"]) == (recorded["turn_id"], recorded["position"])
            assert (step["turn"]["text"], step["intact"]) == (content, True)
            start, end = len(content) // 3, max(len(content) // 3 + 1, 2 * len(content) // 3)
            source = {"turn_id": recorded["turn_id"], "start": start, "end": end}
            body = {"text": f"fact {walked}", "sources": [source]}
            if session.user_id:
                body["user_id"] = session.user_id
            fact = acme.client.post("/api/v1/memories/", body, format="json")
            (span,) = sources(acme, fact.json()["id"])
            assert (span["turn"]["text"], span["intact"]) == (content[start:end], True)
            walked += 1
    assert walked > 40


def test_an_altered_turn_is_noticed_by_all_that_rests_on_it(acme: Caller, superuser_dsn: str) -> None:
    turn = acme.turn("The hub is in the hall, the lamp is green")
    other = acme.turn("Nothing of this was touched")
    span = {"turn_id": turn["turn_id"], "start": 0, "end": 22}
    fact = acme.client.post(
        "/api/v1/memories/", {"user_id": "u1", "text": "The hub is in the hall", "sources": [span]}, format="json"
    ).json()
    derived = acme.client.post(
        "/api/v1/memories/", {"user_id": "u1", "text": "Look in the hall", "parent_ids": [fact["id"]]}, format="json"
    ).json()
    with psycopg.connect(superuser_dsn, dbname=DATABASE) as connection:
        connection.execute("ALTER TABLE memories_turn DISABLE TRIGGER archive")
        connection.execute(
            "UPDATE memories_turn SET content = replace(content, 'green', 'black') WHERE id = %s", [turn["turn_id"]]
        )
        connection.execute("ALTER TABLE memories_turn ENABLE TRIGGER archive")
    for memory_id in (turn["memory_id"], fact["id"], derived["id"]):
        assert [step["intact"] for step in sources(acme, memory_id) if step["turn"]] == [False], memory_id
    assert [step["intact"] for step in sources(acme, other["memory_id"])] == [True]
