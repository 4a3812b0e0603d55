"""Issuing keys: nobody hands out more than he has, and no key is made that cannot work."""

from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone

from backends.search import names
from memories.services.engine import search_engine
from memories.services.provision import provision
from tenants.models import ApiKey, Subject
from tenants.scope import Ability, Scope, ScopeDenied
from tenants.services.authenticate import scope_of
from tenants.services.issue_key import KeyNotIssuable, issue_key
from tenants.services.open_scope import open_scope
from tests.conftest import Caller, login


def subject_of(caller: Caller, user_id: str) -> Subject:
    with open_scope(caller.system):
        return Subject.objects.get(external_id=user_id)


def manager(caller: Caller, **fields: Any) -> Scope:
    """Return the scope of a key that may manage keys, but not everything."""
    abilities = [Ability.KEYS_MANAGE, Ability.MEMORIES_READ]
    given = {"abilities": abilities, "kinds": [names.EPISODIC], "compartments": ["doctor"], **fields}
    issued = issue_key(caller.system, name="manager", now=timezone.now(), **given)
    return scope_of(issued.key, request_id="test")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"kinds": []}, "kinds"),
        ({"kinds": ["episodic", "dreams"]}, "dreams"),
        ({"abilities": ["memories:burn"]}, "memories:burn"),
        ({"compartments": ["none"]}, "reserved"),
        ({"compartments": [""]}, "compartments"),
        ({"compartments": ["x" * 65]}, "compartments"),
        ({"compartments": ["a\nb"]}, "compartments"),
    ],
)
def test_a_key_that_could_not_work_is_not_made(acme: Caller, fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(KeyNotIssuable, match=reason):
        issue_key(acme.system, name="odd", now=timezone.now(), **fields)
    with open_scope(acme.system):
        assert ApiKey.objects.count() == 1


@pytest.mark.parametrize(
    "more",
    [
        {"abilities": [Ability.MEMORIES_READ, Ability.COMPLIANCE]},
        {"kinds": [names.EPISODIC, names.SEMANTIC]},
        {"compartments": ["doctor", "insurer"]},
    ],
)
def test_a_key_can_be_given_only_what_its_issuer_has(acme: Caller, more: dict[str, Any]) -> None:
    scope = manager(acme)
    own: dict[str, Any] = {
        "abilities": [Ability.MEMORIES_READ],
        "kinds": [names.EPISODIC],
        "compartments": ["doctor"],
    }
    assert issue_key(scope, name="as I am", now=timezone.now(), **own).key.compartments == ["doctor"]
    with pytest.raises(ScopeDenied, match=next(iter(more))):
        issue_key(scope, name="more", now=timezone.now(), **{**own, **more})


def test_a_key_of_one_user_issues_keys_of_that_user(acme: Caller) -> None:
    acme.turn("mine", user_id="u1")
    acme.turn("yours", user_id="u2")
    own, other = subject_of(acme, "u1"), subject_of(acme, "u2")
    scope = manager(acme, subject=own)
    fields: dict[str, Any] = {"abilities": [Ability.MEMORIES_READ], "kinds": [names.EPISODIC], "now": timezone.now()}
    assert issue_key(scope, name="own", **fields).key.subject_id == own.id
    with pytest.raises(ScopeDenied, match="one user"):
        issue_key(scope, name="other", subject=other, **fields)


def test_what_is_hidden_from_the_issuer_is_hidden_from_the_key(acme: Caller) -> None:
    scope = replace(manager(acme), hidden_fields=("sensitive_notes",))
    issued = issue_key(scope, name="x", abilities=[Ability.MEMORIES_READ], kinds=[names.EPISODIC], now=timezone.now())
    assert issued.key.hidden_fields == ["sensitive_notes"]


def test_one_bad_key_does_not_keep_the_others_waiting(acme: Caller, caplog: pytest.LogCaptureFixture) -> None:
    acme.turn("mine", user_id="u1")
    subject = subject_of(acme, "u1")
    bad: list[dict[str, Any]] = [{"kinds": []}, {"abilities": ["memories:read", "memories:burn"]}]
    for fields in bad:
        with open_scope(acme.system):
            ApiKey.objects.create(
                **{"tenant_id": acme.key.tenant_id, "name": "bad", "prefix": str(fields)[:16], "secret_hash": b"x",
                   "abilities": ["memories:read"], "kinds": ["episodic"], "created_at": timezone.now(), **fields}
            )  # fmt: skip
    with login("mneme_worker"):
        ready = provision(acme.key.tenant_id, subject.id, engine=search_engine(), now=timezone.now())
    assert ready == 1
    assert sum("has no credential for subject" in record.getMessage() for record in caplog.records) == 2
