"""Back-pressure: a pass has some of every tenant, and a tenant whose backlog is full waits with bulk writes."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from memories.services.claim import claim
from memories.services.engine import embedder, search_engine
from memories.services.sync import sync
from tests.conftest import Caller, login, make_caller


def batch(caller: Caller, turns: int, **headers: str) -> Any:
    body = {"turns": [{"user_id": "u1", "session_id": "s1", "content": f"note {n}"} for n in range(turns)]}
    return caller.client.post("/api/v1/turns/batch/", body, format="json", headers=headers)


def test_an_import_does_not_keep_another_tenants_turn_waiting(acme: Caller, globex: Caller) -> None:
    assert batch(acme, 500).status_code == 201
    assert batch(acme, 500).status_code == 201
    globex.turn("the otter is called Bramble")
    with login("mneme_worker"):
        assert sync(search_engine(), model=embedder().model, limit=50, now=timezone.now()).applied == 50
    assert len(globex.recall("otter", overlay=False)["results"]) == 1


def test_a_pass_is_shared_out_and_what_some_leave_goes_to_the_others(acme: Caller, globex: Caller) -> None:
    third = make_caller("initech")
    assert batch(acme, 30).status_code == 201
    assert batch(globex, 2).status_code == 201
    third.turn("one")
    with login("mneme_worker"):
        claimed = claim(20, now=timezone.now())
    of = Counter(entry.tenant_id for entry in claimed)
    assert (of[acme.key.tenant_id], of[globex.key.tenant_id], of[third.key.tenant_id]) == (17, 2, 1)
    # In turn: whoever stops after three has served all three.
    assert len({entry.tenant_id for entry in claimed[:3]}) == 3
    own = [entry.due_at for entry in claimed if entry.tenant_id == acme.key.tenant_id]
    assert own == sorted(own)


def test_with_more_tenants_than_a_pass_takes_each_has_its_turn(acme: Caller) -> None:
    callers = [acme, *(make_caller(f"tenant-{number}") for number in range(7))]
    for caller in callers:
        assert batch(caller, 20).status_code == 201
    served: Counter[Any] = Counter()
    with login("mneme_worker"):
        for _ in range(30):
            served.update(entry.tenant_id for entry in claim(4, now=timezone.now()))
    assert sum(served.values()) == 120
    assert len(served) == len(callers)  # left out with a chance of (1/2)^30


def test_the_embedder_serves_all_tenants_as_well(acme: Caller, globex: Caller) -> None:
    assert batch(acme, 200).status_code == 201
    globex.turn("the otter is called Bramble")
    with login("mneme_worker"):
        while sync(search_engine(), model=embedder().model, now=timezone.now()).claimed:
            pass
        claimed = claim(10, awaiting_vector=True, now=timezone.now() + timedelta(seconds=1))
    assert globex.key.tenant_id in {entry.tenant_id for entry in claimed[:2]}


@pytest.fixture
def narrow() -> Iterator[None]:
    """Let ten documents of a tenant wait."""
    before = settings.SYNC_BACKLOG_MAX
    settings.SYNC_BACKLOG_MAX = 10
    yield
    settings.SYNC_BACKLOG_MAX = before


def test_a_full_backlog_refuses_bulk_writes_and_takes_single_turns(
    acme: Caller, globex: Caller, narrow: None
) -> None:
    first = batch(acme, 9, **{"Idempotency-Key": "one"})
    assert batch(acme, 9).status_code == first.status_code == 201
    refused = batch(acme, 2)
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    problem = refused.json()
    assert problem["type"] == "/problems/backlog-full/"
    assert "sync/" in problem["detail"]
    documents = {"documents": [{"id": str(number), "text": "x"} for number in range(2)]}
    acme.key.abilities.append("catalog:write")
    with login("mneme_owner"):
        acme.key.save()
    assert acme.client.post("/api/v1/catalog/", documents, format="json").status_code == 429
    assert acme.client.get("/api/v1/catalog/").json()["results"] == []
    acme.turn("a single turn goes on")
    replayed = batch(acme, 9, **{"Idempotency-Key": "one"})
    assert (replayed.status_code, replayed.json()) == (201, first.json())
    assert batch(globex, 5).status_code == 201
    with login("mneme_worker"):
        while sync(search_engine(), model=embedder().model, now=timezone.now()).claimed:
            pass
    assert batch(acme, 2).status_code == 429  # they wait for their vectors still
