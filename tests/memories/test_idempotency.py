"""The same request twice is one write and one answer, also when both come at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from memories.models import IdempotencyKey, Memory, Session, Turn
from memories.services.forget_idempotency import forget_idempotency
from tenants.services.open_scope import open_scope
from tests.conftest import Caller, client_with, login

TURN: dict[str, Any] = {"user_id": "u1", "session_id": "s1", "content": "hello"}


def send(caller: Caller, key: str, body: dict[str, Any], path: str = "turns/") -> Any:
    return client_with(caller.secret).post(f"/api/v1/{path}", body, format="json", headers={"Idempotency-Key": key})


def together(count: int, work: Callable[[int], Any]) -> list[Any]:
    """Run work in threads of their own database connections."""

    def run(number: int) -> Any:
        try:
            return work(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=count) as pool:
        return list(pool.map(run, range(count)))


def test_a_repeated_request_gets_the_first_answer(acme: Caller) -> None:
    first, second = send(acme, "k1", TURN), send(acme, "k1", TURN)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert "Idempotency-Replayed" not in first
    assert second["Idempotency-Replayed"] == "true"
    with open_scope(acme.scope):
        assert Turn.objects.count() == Memory.objects.count() == 1


def test_a_repeated_batch_adds_nothing(acme: Caller) -> None:
    batch = {"turns": [{**TURN, "content": f"line {number}"} for number in range(5)]}
    first, second = (send(acme, "b1", batch, "turns/batch/") for _ in range(2))
    assert first.json() == second.json()
    assert [turn["position"] for turn in second.json()["turns"]] == [0, 1, 2, 3, 4]


def test_another_request_under_the_same_key_is_409(acme: Caller) -> None:
    send(acme, "k1", TURN)
    answer = send(acme, "k1", {**TURN, "content": "something else"})
    assert answer.status_code == 409
    assert answer.json()["type"] == "/problems/idempotency-key-reused/"


def test_a_refused_request_leaves_its_key_free(acme: Caller) -> None:
    assert send(acme, "k1", {**TURN, "content": ""}).status_code == 400
    assert send(acme, "k1", TURN).status_code == 201


def test_a_key_is_the_tenants_own(acme: Caller, globex: Caller) -> None:
    assert send(acme, "k1", TURN).json()["turn_id"] != send(globex, "k1", TURN).json()["turn_id"]


def test_a_blank_key_is_400(acme: Caller) -> None:
    answer = send(acme, " ", TURN)
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "Idempotency-Key"


def test_fifty_identical_requests_at_once_are_one_turn(acme: Caller) -> None:
    answers = together(50, lambda _: send(acme, "k1", TURN))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["turn_id"] for answer in answers}) == 1
    assert sum("Idempotency-Replayed" not in answer for answer in answers) == 1
    with open_scope(acme.scope):
        assert Turn.objects.count() == IdempotencyKey.objects.count() == 1


def test_two_hundred_turns_of_a_new_session_at_once_are_in_order_without_a_gap(acme: Caller) -> None:
    answers = together(20, lambda number: [acme_turn(acme, number, place) for place in range(10)])
    positions = sorted(turn["position"] for group in answers for turn in group)
    assert positions == list(range(200))
    for group in answers:  # each writer's own turns stand in the order it wrote them
        assert [turn["position"] for turn in group] == sorted(turn["position"] for turn in group)
    with open_scope(acme.scope):
        assert Session.objects.get().turn_count == 200
        contexts = list(Memory.objects.order_by("turn__position").values_list("text", "context"))
    for place, (text, context) in enumerate(contexts):
        lines = context.split("\n")
        around = [other for other, _ in contexts[max(place - 2, 0) : place + 2]]
        assert lines == [f"user: {other}" for other in around]
        assert f"user: {text}" in lines


def test_fifty_identical_facts_at_once_are_one_memory(acme: Caller) -> None:
    fact = {"user_id": "u1", "text": "Ada lives in Leeds"}

    def write(_: int) -> Any:
        return client_with(acme.secret).post("/api/v1/memories/", fact, format="json")

    answers = together(50, write)
    assert sorted(answer.status_code for answer in answers) == [200] * 49 + [201]
    assert len({answer.json()["id"] for answer in answers}) == 1
    with open_scope(acme.scope):
        assert Memory.objects.get().frequency == 50


def acme_turn(caller: Caller, number: int, place: int) -> dict[str, Any]:
    """Record one turn with a client of its own."""
    body = {**TURN, "content": f"writer {number} says {place}"}
    response = client_with(caller.secret).post("/api/v1/turns/", body, format="json")
    assert response.status_code == 201, response.content
    answer: dict[str, Any] = response.json()
    return answer


def test_batches_with_the_same_users_in_other_orders_do_not_deadlock(acme: Caller) -> None:
    users = [f"u{number}" for number in range(6)]

    def batch(number: int) -> int:
        order = users if number % 2 else list(reversed(users))
        turns = [{**TURN, "user_id": user, "content": f"{number}"} for user in order]
        answer = client_with(acme.secret).post("/api/v1/turns/batch/", {"turns": turns}, format="json")
        assert [turn["user_id"] for turn in answer.json()["turns"]] == order
        return int(answer.status_code)

    assert together(8, batch) == [201] * 8


def test_a_key_is_forgotten_after_a_week_and_not_before(acme: Caller) -> None:
    body = {"user_id": "u1", "session_id": "s", "content": "once"}
    first = acme.client.post("/api/v1/turns/", body, format="json", HTTP_IDEMPOTENCY_KEY="k").json()
    with login("mneme_worker"):
        assert forget_idempotency(now=timezone.now() + timedelta(days=6)) == 0
    again = acme.client.post("/api/v1/turns/", body, format="json", HTTP_IDEMPOTENCY_KEY="k").json()
    assert again["turn_id"] == first["turn_id"]
    with login("mneme_worker"):
        assert forget_idempotency(now=timezone.now() + timedelta(days=8)) == 1
    anew = acme.client.post("/api/v1/turns/", body, format="json", HTTP_IDEMPOTENCY_KEY="k").json()
    assert anew["turn_id"] != first["turn_id"]
