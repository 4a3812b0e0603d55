"""A stored recall can be computed again, under another policy, and asked anew."""

from collections.abc import Callable
from typing import Any

import pytest

from tenants.scope import Ability
from tests.conftest import Caller

Drain = Callable[[], None]


def call(caller: Caller, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    answer = getattr(caller.client, method)(f"/api/v1/{path}", body, format="json")
    assert answer.status_code == 200, answer.content
    return answer.json()


@pytest.fixture
def manager(acme: Caller) -> Caller:
    """Return a caller of the tenant that may change its policy."""
    return acme.holding(abilities=[Ability.KEYS_MANAGE, Ability.MEMORIES_READ])


@pytest.fixture
def told(acme: Caller, drain: Drain) -> dict[str, Any]:
    """Return an answer over turns of two people, a playbook with outcomes and an old fact."""
    for number in range(20):
        acme.turn(f"I walked {number} miles by the river", user_id="ada", session_id=f"s{number % 4}", speaker="Ada")
        acme.turn(f"I swam {number} lengths", user_id="ada", session_id=f"s{number % 4}", speaker="Bob")
    drain()
    return acme.recall("How far did Ada walk by the river?", user_id="ada", top_k=10)


def test_a_recall_is_computed_again_to_the_last_bit_after_a_thousand_writes(
    acme: Caller, drain: Drain, told: dict[str, Any]
) -> None:
    for start in range(0, 1_000, 500):
        turns = [
            {
                "user_id": "ada",
                "session_id": f"w{index % 7}",
                "content": f"Ada walked {index} miles by the river again",
                "role": "assistant" if index % 20 else "user",
                "speaker": "Ada",
            }
            for index in range(start, start + 500)
        ]
        assert acme.client.post("/api/v1/turns/batch/", {"turns": turns}, format="json").status_code == 201
    drain()
    stored = call(acme, "get", f"recalls/{told['recall_id']}/")
    assert stored["identical"] is True
    assert [one["memory_id"] for one in stored["results"]] == [hit["memory_id"] for hit in told["results"]]
    assert [one["score"] for one in stored["results"]] == [hit["score"] for hit in told["results"]]
    assert stored["question"]["query"] == "How far did Ada walk by the river?"
    again = call(acme, "post", f"recalls/{told['recall_id']}/run/")
    assert again["other_recall_id"] != told["recall_id"]
    entered = [move for move in again["moves"] if move["before"] is None]
    assert entered
    assert {move["words"] for move in entered} == {"It was not among the candidates before."}


def test_another_weight_moves_memories_and_the_difference_says_why(acme: Caller, told: dict[str, Any]) -> None:
    path = f"recalls/{told['recall_id']}/replay/"
    other = call(acme, "post", path, {"set": {"recall.general.own": 0.0, "recall.general.dense_with_late": 20.0}})
    assert {one["name"] for one in other["policy"]} == {"recall.general.own", "recall.general.dense_with_late"}
    assert all("went from" in one["words"] for one in other["policy"])
    assert other["moves"]
    assert any("counts" in move["words"] for move in other["moves"])
    assert call(acme, "post", path, {"set": {"recall.general.own": 0.5}})["moves"] == []  # as it was
    refused = acme.client.post(f"/api/v1/{path}", {"set": {"recall.nothing": 1}}, format="json")
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["field"] == "recall.nothing"


def test_what_another_asked_is_not_there(acme: Caller, globex: Caller, told: dict[str, Any]) -> None:
    for path in ("", "replay/", "run/"):
        method = globex.client.post if path else globex.client.get
        body = {"set": {"recall.use": 0.0}} if path == "replay/" else None
        assert method(f"/api/v1/recalls/{told['recall_id']}/{path}", body, format="json").status_code == 404


def test_a_policy_changes_the_next_answer_and_says_so_in_the_difference(
    acme: Caller, manager: Caller, told: dict[str, Any]
) -> None:
    changed = manager.client.patch("/api/v1/policy/", {"set": {"recall.general.dense": 20.0}}, format="json")
    assert changed.status_code == 200, changed.content
    assert changed.json()["version"] == 1
    again = call(acme, "post", f"recalls/{told['recall_id']}/run/")
    assert [one["name"] for one in again["policy"]] == ["recall.general.dense"]
    assert call(acme, "get", f"recalls/{again['other_recall_id']}/")["policy_version"] == 1
    assert call(acme, "get", f"recalls/{told['recall_id']}/")["identical"] is True


def test_no_log_is_kept_where_the_policy_keeps_none(acme: Caller, manager: Caller) -> None:
    acme.turn("the otter is called Bramble")
    assert manager.client.patch("/api/v1/policy/", {"set": {"recall.log_days": 0}}, format="json").status_code == 200
    answer = acme.recall("otter")
    assert answer["results"]
    assert acme.client.get(f"/api/v1/recalls/{answer['recall_id']}/").status_code == 404
