"""Forgetting with real processes: asked for by HTTP, done by the worker, found again in the engine."""

import time
from typing import Any

import httpx

from tests.conftest import LiveStack

WITHIN_S = 90.0
ABILITIES = ("turns:write", "memories:read", "memories:write", "provenance:read", "consolidate", "keys:manage")


class Agent:
    """An agent of a tenant of its own."""

    def __init__(self, live: LiveStack, slug: str) -> None:
        options = [word for ability in ABILITIES for word in ("--ability", ability)]
        key = live.stack.create_tenant(slug, *options)
        self.http = httpx.Client(
            base_url=f"{live.url}/api/v1/", headers={"Authorization": f"Bearer {key}"}, timeout=20
        )

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Ask, and return the answer, which must be a good one."""
        answer = self.http.request(method, path, json=body)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def done(self, job: dict[str, Any]) -> dict[str, Any]:
        """Return a job once the worker has done it."""
        end = time.monotonic() + WITHIN_S
        while (told := self.call("GET", f"jobs/{job['id']}/"))["state"] != "done":
            assert time.monotonic() < end, told
            time.sleep(0.2)
        result: dict[str, Any] = told["result"]
        return result

    def wait_until_indexed(self) -> None:
        """Wait until everything is in the engine."""
        end = time.monotonic() + WITHIN_S
        while self.call("GET", "sync/")["pending"]:
            assert time.monotonic() < end, "the outbox did not empty in time"
            time.sleep(0.1)


def test_from_a_conversation_to_its_summary_and_back(live_stack: LiveStack) -> None:
    agent = Agent(live_stack, "forgetful")
    with agent.http:
        turns = [
            {"user_id": "ada", "session_id": "kitchen", "content": content}
            for content in (
                "The kitchen renovation with Marlow Builders will cost 14200 euros.",
                "Marlow Builders can start the kitchen renovation on 12 May.",
                "I live in Leeds.",
                "The kitchen renovation needs a new oven as well.",
                "We want the oven of the kitchen renovation in red.",
            )
        ]
        said = agent.call("POST", "turns/batch/", {"turns": turns})["turns"]
        agent.done(agent.call("POST", "consolidations/", {}))
        policy = {"forgetting.summarise_below": 1, "forgetting.archive_below": None}
        agent.call("PATCH", "policy/", {"set": policy})
        looked = agent.call("POST", "forgetting/preview/", {"user_id": "ada"})
        assert (looked["summarise"], looked["archive"]["memories"]) == ({"conversations": 1, "episodes": 5}, 0)
        result = agent.done(agent.call("POST", "forgetting/", {"user_id": "ada"}))
        assert result == {"summarised": 5, "archived": 0, "deleted": 0}
        agent.wait_until_indexed()
        question = {"user_id": "ada", "query": "What does the kitchen renovation cost?"}
        (summary, *_) = agent.call("POST", "recall/", question)["results"]
        assert (summary["category"], summary["memory_type"]) == ("summary", "semantic")
        assert "14200 euros" in summary["text"]
        steps = agent.call("GET", f"memories/{summary['memory_id']}/source/")["sources"]
        assert {step["turn"]["turn_id"] for step in steps} == {turn["turn_id"] for turn in said}
        cold = agent.call("POST", "recall/", {**question, "include_archived": True, "memory_types": ["episodic"]})
        assert {hit["tier"] for hit in cold["results"]} == {"cold"}
        assert said[0]["memory_id"] in {hit["memory_id"] for hit in cold["results"]}
        agent.call("POST", f"memories/{said[0]['memory_id']}/restore/", {})
        agent.wait_until_indexed()
        (hit,) = agent.call("POST", "recall/", {**question, "memory_types": ["episodic"]})["results"]
        assert (hit["restores"], hit["tier"]) == (said[0]["memory_id"], "hot")
        subject = agent.call("GET", "subjects/?user_id=ada")["results"][0]["id"]
        profile = agent.call("GET", f"subjects/{subject}/profile/")
        assert [fact["text"] for fact in profile["groups"]["identity"]] == ["The user lives in Leeds"]
