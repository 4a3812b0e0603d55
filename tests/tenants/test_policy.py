"""A tenant's policy: versions, refusals, and walls."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from tenants.models import Event, PolicyVersion, Subject
from tenants.policy import KEYS
from tenants.scope import Ability
from tenants.services.open_scope import open_scope
from tests.conftest import Caller

POLICY = "/api/v1/policy/"


@pytest.fixture
def manager(acme: Caller) -> Caller:
    return acme.holding(abilities=[Ability.KEYS_MANAGE, Ability.MEMORIES_READ])


def change(caller: Caller, status: int = 200, **body: Any) -> dict[str, Any]:
    answer = caller.client.patch(POLICY, body, format="json")
    assert answer.status_code == status, answer.content
    said: dict[str, Any] = answer.json()
    return said


def test_every_key_has_a_default_a_unit_and_a_sentence(acme: Caller) -> None:
    policy = acme.client.get(POLICY).json()
    assert policy["version"] == 0
    assert set(policy["keys"]) == set(KEYS)
    for key in policy["keys"].values():
        assert key["value"] == key["default"]
        assert key["unit"]
        assert key["sentence"].endswith(".")


def test_changes_make_versions_and_a_reset_goes_back(acme: Caller, manager: Caller, globex: Caller) -> None:
    assert change(manager, set={"recall.use": 0, "recall.half_life_days.episodic": None})["version"] == 1
    assert change(manager, set={"recall.use": 0})["version"] == 1  # nothing changes
    held = acme.client.get(POLICY).json()["keys"]
    assert held["recall.use"]["value"] == 0
    assert held["recall.half_life_days.episodic"]["value"] is None
    assert change(manager, reset=["recall.use"])["keys"]["recall.use"]["value"] == KEYS["recall.use"].default
    assert globex.client.get(POLICY).json()["version"] == 0
    with open_scope(acme.system):
        assert list(PolicyVersion.objects.order_by("version").values_list("version", "said")) == [
            (1, {"recall.use": 0.0, "recall.half_life_days.episodic": None}),
            (2, {"recall.half_life_days.episodic": None}),
        ]
        assert Event.objects.filter(kind="policy.changed").count() == 2


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"set": {"recall.nothing": 1}}, "recall.nothing"),
        ({"set": {"recall.use": 2}}, "recall.use"),
        ({"set": {"recall.use": -0.1}}, "recall.use"),
        ({"set": {"recall.use": True}}, "recall.use"),
        ({"set": {"recall.use": "1"}}, "recall.use"),
        ({"set": {"recall.use": None}}, "recall.use"),
        ({"set": {"recall.use": [1]}}, "recall.use"),
        ({"set": {"recall.candidates": 80.5}}, "recall.candidates"),
        ({"set": {"recall.profile": "best"}}, "recall.profile"),
        ({"set": {"recall.near_duplicates": 1}}, "recall.near_duplicates"),
        ({"reset": ["recall.nothing"]}, "recall.nothing"),
        ({"set": {"recall.use": 0.1}, "reset": ["recall.use"]}, "reset"),
        ({"set": {"recall.use": 0.1, "recall.age": 9}}, "recall.age"),
        ({}, ""),
        ({"set": {}}, ""),
        ({"changes": {"recall.use": 0.1}}, "changes"),
    ],
)
def test_what_no_policy_may_say_is_named_and_nothing_is_stored(
    manager: Caller, said: dict[str, Any], field: str
) -> None:
    refused = change(manager, 400, **said)
    assert field in {fault["field"] for fault in refused["errors"]} | {""}
    assert manager.client.get(POLICY).json()["version"] == 0


def test_only_who_manages_the_tenants_keys_changes_it_and_no_user_does(acme: Caller, manager: Caller) -> None:
    change(acme, 403, set={"recall.use": 0})
    acme.turn("hello", user_id="ada")
    with open_scope(acme.system):
        ada = Subject.objects.get(external_id="ada")
    own = acme.holding(abilities=[Ability.KEYS_MANAGE, Ability.MEMORIES_READ], subject=ada)
    change(own, 403, set={"recall.use": 0})
    assert own.client.get(POLICY).status_code == 200


def test_a_stale_change_is_refused(manager: Caller) -> None:
    etag = manager.client.get(POLICY).headers["ETag"]
    first = manager.client.patch(POLICY, {"set": {"recall.use": 0}}, format="json", HTTP_IF_MATCH=etag)
    second = manager.client.patch(POLICY, {"set": {"recall.age": 0}}, format="json", HTTP_IF_MATCH=etag)
    assert (first.status_code, second.status_code) == (200, 412)


def test_changes_at_once_make_one_version_each_or_are_told(manager: Caller) -> None:
    def send(number: int) -> int:
        try:
            body = {"set": {"recall.candidates": 20 + number}}
            status: int = manager.client.patch(POLICY, body, format="json").status_code
            return status
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=4) as pool:
        statuses = list(pool.map(send, range(8)))
    assert set(statuses) <= {200, 412}
    assert manager.client.get(POLICY).json()["version"] == statuses.count(200) > 0


def test_nobody_changes_a_version_that_is_made(manager: Caller, acme: Caller) -> None:
    change(manager, set={"recall.use": 0})
    for statement in ("UPDATE tenants_policyversion SET version = 9", "DELETE FROM tenants_policyversion"):
        with (
            pytest.raises(Exception, match="permission denied"),
            open_scope(acme.system),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)
