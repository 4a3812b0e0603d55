"""The whole way with real processes: HTTP, worker, store, recall; and what goes on when a part is away."""

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from memory_site.stack.stack import Name
from tests.conftest import LiveStack

INDEXED_WITHIN_S = 90.0
"""More than the lease of an entry whose drain died with the database."""


class Agent:
    """An agent of one tenant, as a caller would write it."""

    def __init__(self, live: LiveStack, slug: str) -> None:
        headers = {"Authorization": f"Bearer {live.keys[slug]}"}
        self.http = httpx.Client(base_url=f"{live.url}/api/v1/", headers=headers, timeout=20)

    def say(self, content: str, user_id: str, **fields: Any) -> dict[str, Any]:
        """Record a turn."""
        body = {"user_id": user_id, "session_id": "s", "content": content, **fields}
        response = self.http.post("turns/", json=body)
        assert response.status_code == 201, response.text
        answer: dict[str, Any] = response.json()
        return answer

    def ask(self, query: str, user_id: str, **fields: Any) -> dict[str, Any]:
        """Recall."""
        response = self.http.post("recall/", json={"query": query, "user_id": user_id, **fields})
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer

    def wait_until_indexed(self) -> None:
        """Wait until everything of the tenant is in the engine."""
        end = time.monotonic() + INDEXED_WITHIN_S
        while self.http.get("sync/").json()["pending"]:
            assert time.monotonic() < end, "the outbox did not empty in time"
            time.sleep(0.1)


@pytest.fixture
def agent(live_stack: LiveStack) -> Iterator[Agent]:
    agent = Agent(live_stack, "acme")
    yield agent
    agent.http.close()


@pytest.fixture
def stranger(live_stack: LiveStack) -> Iterator[Agent]:
    agent = Agent(live_stack, "globex")
    yield agent
    agent.http.close()


def test_a_turn_goes_through_the_worker_and_is_recalled_from_the_engine(agent: Agent, stranger: Agent) -> None:
    agent.say("我搬到爱丁堡了", "journey")
    agent.say("The hub in the hall shows E-4012 " + "and blinks " * 60, "journey")
    agent.wait_until_indexed()
    assert agent.ask("搬家 爱丁堡", "journey", overlay=False)["results"][0]["text"] == "我搬到爱丁堡了"
    found = agent.ask("E-4012", "journey", overlay=False, explain=True)["results"][0]
    assert found["text"].startswith("The hub in the hall")
    assert found["explain"]["legs"]["dense"]["rank"] is not None
    other = stranger.ask("E-4012", "journey")
    assert (other["results"], other["reason"]) == ([], "nothing_stored")


@pytest.mark.parametrize("away", ["valkey", "worker", "beat"])
def test_without_a_part_turns_are_kept_recallable_and_later_indexed(
    live_stack: LiveStack, agent: Agent, away: Name
) -> None:
    user = f"without-{away}"
    agent.say("an earlier note about tea", user)
    agent.wait_until_indexed()
    live_stack.stack.kill(away)
    try:
        start = time.monotonic()
        said = agent.say(f"the word is zebrafinch{away}", user)
        assert time.monotonic() - start < 3
        answer = agent.ask(f"zebrafinch{away}", user)
        assert answer["results"][0]["memory_id"] == said["memory_id"]
        assert answer["degraded"] == []
    finally:
        live_stack.stack.start(away)
    agent.wait_until_indexed()
    assert agent.ask(f"zebrafinch{away}", user, overlay=False)["results"][0]["memory_id"] == said["memory_id"]


def test_what_was_acknowledged_survives_a_killed_database(live_stack: LiveStack, agent: Agent) -> None:
    said = [agent.say(f"numbered note {number}", "crash")["turn_id"] for number in range(5)]
    live_stack.stack.kill("postgres")
    live_stack.stack.start("postgres")
    end = time.monotonic() + INDEXED_WITHIN_S
    while (response := agent.http.get("keys/me/")).status_code != 200:
        assert time.monotonic() < end, response.text
        time.sleep(0.2)
    agent.wait_until_indexed()
    answer = agent.ask("numbered note", "crash", overlay=False)
    own = [hit["source"]["turn_id"] for hit in answer["results"] if hit["user_id"] == "crash"]
    assert sorted(own) == sorted(said)
