"""What the engine answered is kept, and never hides what was written, or shows what is gone."""

from collections.abc import Callable, Iterator

import pytest
from prometheus_client import REGISTRY

from memories.services.kept_answers import forget_answers
from tenants.scope import Ability
from tests.conftest import Caller

Drain = Callable[[], None]


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    """Begin and end without what other tests asked."""
    forget_answers()
    yield
    forget_answers()


def hits() -> float:
    return REGISTRY.get_sample_value("mneme_recall_kept_answers_total", {"found": "hit"}) or 0.0


def texts(caller: Caller, query: str = "otter", **fields: object) -> list[str]:
    return [hit["text"] for hit in caller.recall(query, **fields)["results"]]


def test_the_same_question_is_answered_from_what_was_kept_until_something_is_written(
    acme: Caller, drain: Drain
) -> None:
    acme.turn("the otter is called Bramble")
    drain()
    before = hits()
    assert texts(acme) == texts(acme) == ["the otter is called Bramble"]
    assert hits() == before + 1
    acme.turn("the otter sleeps by day")
    assert len(texts(acme)) == 2
    drain()
    assert len(texts(acme)) == 2
    assert hits() == before + 1


def test_what_is_retracted_or_another_users_is_not_answered_from_what_was_kept(acme: Caller, drain: Drain) -> None:
    turn = acme.turn("the otter is called Bramble", user_id="ada")
    acme.turn("the otter is called Thistle", user_id="bob")
    drain()
    for _ in range(2):
        assert texts(acme, user_id="ada") == ["the otter is called Bramble"]
        assert texts(acme, user_id="bob") == ["the otter is called Thistle"]
    assert acme.client.delete(f"/api/v1/memories/{turn['memory_id']}/").status_code in (200, 204)
    assert texts(acme, user_id="ada") == []


def test_two_tenants_who_ask_the_same_share_nothing(acme: Caller, globex: Caller, drain: Drain) -> None:
    acme.turn("the otter is called Bramble")
    globex.turn("the otter is called Thistle")
    drain()
    for _ in range(2):
        assert texts(acme) == ["the otter is called Bramble"]
        assert texts(globex) == ["the otter is called Thistle"]


def test_the_policy_turns_it_off(acme: Caller, drain: Drain) -> None:
    acme.turn("the otter is called Bramble")
    drain()
    manager = acme.holding(abilities=[Ability.KEYS_MANAGE, Ability.MEMORIES_READ])
    assert manager.client.patch("/api/v1/policy/", {"set": {"recall.cache_s": 0}}, format="json").status_code == 200
    before = hits()
    assert texts(acme) == texts(acme)
    assert hits() == before
