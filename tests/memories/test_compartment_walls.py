"""Compartments over the whole API and at each wall alone: who holds none of them learns nothing."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from backends.search import names
from backends.search.base import Query
from backends.search.changes import Change
from memories.documents.registry import body_of
from memories.services.engine import embedder, search_engine
from memories.services.searched import rows_with_vectors
from tenants.models import Subject
from tenants.scope import Scope
from tenants.services.engine_credential import engine_credential, reach_of
from tenants.services.issue_key import KEY_ABILITIES
from tenants.services.open_scope import open_operator, open_scope
from tests.conftest import Caller, login
from tests.memories.canaries import Planted, change_all, plant, post, read_all, told
from tests.plugin import DATABASE

ALL: dict[str, Any] = {"abilities": KEY_ABILITIES}


@pytest.fixture
def doctor(acme: Caller) -> Caller:
    return acme.holding("doctor", **ALL)


@pytest.fixture
def kept(doctor: Caller) -> Planted:
    """Return what stands in the compartment, of user u1."""
    return plant(doctor, "k", ["doctor"])


def subject_of(caller: Caller, user_id: str) -> Subject:
    with open_scope(caller.system):
        return Subject.objects.get(external_id=user_id)


def outsiders(acme: Caller) -> dict[str, Caller]:
    """Return keys of the tenant that can do everything, but hold none of the compartments."""
    return {
        "none": acme.holding(**ALL),
        "another": acme.holding("family", **ALL),
        "the user's own": acme.holding(subject=subject_of(acme, "u1"), **ALL),
    }


@pytest.mark.usefixtures("each_engine")
@pytest.mark.parametrize("drained", [False, True])
def test_no_answer_of_the_api_tells_of_a_compartment_to_who_does_not_hold_it(
    acme: Caller, doctor: Caller, kept: Planted, drain: Callable[[], None], drained: bool
) -> None:
    if drained:
        drain()
    inside = "".join(told(answer) for _, answer in read_all(doctor, kept))
    unseen = {"agent", "next", "after"}  # shown in no answer of its own to a GET, or not to this question
    assert [name for name, word in kept.words.items() if word not in inside and name not in unseen] == []
    for who, caller in outsiders(acme).items():
        walked = 0
        for what, answer in read_all(caller, kept):
            assert answer.status_code < 500, (who, what)
            found = [word for word in kept.secrets if word in told(answer)]
            assert not found, (who, what, found)
            walked += 1
        assert walked > 150


def test_nobody_changes_or_closes_what_a_compartment_keeps_from_him(
    acme: Caller, doctor: Caller, kept: Planted, superuser_dsn: str
) -> None:
    def rows() -> list[Any]:
        with psycopg.connect(superuser_dsn, dbname=DATABASE) as database:
            tables = ("memory", "procedure", "entity", "relation", "catalogdocument", "turn", "session", "source")
            return [
                database.execute(f"SELECT t::text FROM memories_{table} t ORDER BY 1").fetchall() for table in tables
            ]

    callers = outsiders(acme)
    before = rows()
    for who, caller in callers.items():
        tried = 0
        for what, answer in change_all(caller, kept):
            # The catalog is the tenant's: a user's own key is refused before anything is looked for.
            refused = (answer.status_code, who) == (403, "the user's own")
            assert answer.status_code in {404, 400} or refused, (who, what, answer.content)
            assert not [word for word in kept.secrets if word in told(answer)], (who, what)
            tried += 1
        assert tried > 80
    assert rows() == before


TABLES = (
    "session", "turn", "memory", "memoryvector", "memoryuse", "source", "procedure", "entity", "relation",
    "catalogdocument", "entityvector", "relationvector", "catalogvector",
)  # fmt: skip


def test_sql_as_the_tenants_role_sees_a_compartment_with_it_and_nothing_without(
    acme: Caller, doctor: Caller, kept: Planted, drain: Callable[[], None]
) -> None:
    drain()
    assert doctor.recall(f"What of {kept.words['text']}?")["results"]  # so that there is a use

    def seen(scope: Scope) -> dict[str, int]:
        counts = {}
        with open_scope(scope), connection.cursor() as cursor:
            for table in TABLES:
                cursor.execute(f"SELECT count(*) FROM memories_{table}")
                counts[table] = cursor.fetchone()[0]
        return counts

    assert all(seen(doctor.scope).values()), seen(doctor.scope)
    for scope in (acme.scope, replace(acme.scope, compartments=("family",)), acme.system):
        assert not any(seen(scope).values()), seen(scope)


@pytest.mark.parametrize("setting", ["", "[]", "*x", "{doctor}", '["Doctor"]', '["family", "doctor "]'])
def test_a_setting_that_says_nothing_shows_nothing(acme: Caller, kept: Planted, setting: str) -> None:
    with open_scope(acme.scope), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('app.compartments', %s, true)", [setting])
        try:
            cursor.execute("SELECT count(*) FROM memories_memory")
        except Exception as error:  # noqa: BLE001 - no JSON: nothing is shown either
            assert "json" in str(error)
        else:
            assert cursor.fetchone() == (0,)


def test_kinds_are_a_wall_of_the_record_too(acme: Caller) -> None:
    plant(acme.holding(**ALL), "o", [])
    shown = {
        "semantic": {"memory", "source", "session"},
        "episodic": {"memory", "turn", "session"},
        "procedural": {"memory", "source", "procedure", "session"},
        "entity": {"entity", "session"},
        "relation": {"relation", "entity", "session"},  # a relation is told by the names of its entities
        "catalog": {"catalogdocument", "session"},
    }
    plain = [table for table in TABLES if "vector" not in table and table != "memoryuse"]
    for kind, tables in shown.items():
        with open_scope(replace(acme.scope, kinds=(kind,))), connection.cursor() as cursor:
            found = set()
            for table in plain:
                cursor.execute(f"SELECT count(*) FROM memories_{table}")
                if cursor.fetchone()[0]:
                    found.add(table)
        assert found == tables, kind


def test_with_the_query_wall_off_the_engine_shows_a_key_its_own_alone(
    acme: Caller, globex: Caller, doctor: Caller, kept: Planted, each_engine: str, drain: Callable[[], None]
) -> None:
    """The key's own credential, asked for everything: other tenants, users and compartments."""
    theirs = plant(globex.holding("doctor", **ALL), "k", ["doctor"])
    other = plant(acme.holding(**ALL), "u", [], user_id="u2")
    own = plant(acme.holding(**ALL), "o", [])
    drain()
    engine = search_engine()
    scope = acme.scope.narrowed_to(subject_of(acme, "u1").id)
    key = engine_credential(scope, engine, now=timezone.now())
    widest = replace(reach_of(acme.scope), compartments=("doctor",))
    found: set[str] = set()
    for reach in (widest, replace(widest, tenant_id=globex.key.tenant_id)):
        for planted in (kept, theirs, other, own):
            for word in planted.words.values():
                vector = [float(x) for x in embedder().query(word)]
                query = Query(reach=reach, text=word, vector=vector)
                found |= {str(candidate.id) for candidate in engine.search(query, using=key).candidates}
    searched = {"episode", "after", "fact", "playbook", "one", "two", "relation", "row"}
    shared = {other.ids["row"]}  # the catalog is the whole tenant's
    assert found == {own.ids[name] for name in searched} | shared


def test_with_the_engines_walls_off_the_record_shows_a_key_its_own_alone(
    acme: Caller, globex: Caller, doctor: Caller, kept: Planted, each_engine: str, drain: Callable[[], None]
) -> None:
    """An engine that labels every document as acme's own, shared and open: its answers are not believed."""
    theirs = plant(globex.holding("doctor", **ALL), "k", ["doctor"])
    other = plant(acme.holding(**ALL), "u", [], user_id="u2")
    drain()
    kinds = {"episode": names.EPISODIC, "fact": names.SEMANTIC, "playbook": names.PROCEDURAL, "one": names.ENTITY,
             "relation": names.RELATION, "row": names.CATALOG}  # fmt: skip
    hidden = [(kind, UUID(planted.ids[name])) for planted in (kept, theirs) for name, kind in kinds.items()]
    hidden += [(kind, UUID(other.ids[name])) for name, kind in kinds.items() if name != "row"]
    label = {"tenant_id": str(acme.key.tenant_id), "subject_id": names.NONE, "compartments": [names.NONE]}
    with login("mneme_worker"):
        engine = search_engine()
        with open_operator():
            rows = rows_with_vectors(hidden, model=embedder().model)
        forged = [
            Change(tenant_id=acme.key.tenant_id, kind=kind, id=object_id, version=2**40 + number,
                   body={**body_of(rows[kind, object_id]), **label})
            for number, (kind, object_id) in enumerate(hidden)
        ]  # fmt: skip
        engine.apply(forged)
        engine.refresh()
    plain = acme.holding(**ALL)
    reach = reach_of(plain.scope)
    key = engine_credential(plain.scope, engine, now=timezone.now())
    proposed: set[UUID] = set()
    for planted in (kept, theirs, other):
        for word in planted.words.values():
            query = Query(reach=reach, text=word, vector=None)
            proposed |= {candidate.id for candidate in engine.search(query, using=key).candidates}
            asked = {"user_id": "u1", "query": word, "top_k": 50, "overlay": False}
            hits = post(plain, "recall/", asked, status=200)["results"]
            # The catalog is the whole tenant's, so a document that another user's key wrote may be told.
            assert {hit["memory_id"] for hit in hits} <= {other.ids["row"]}, word
    assert proposed >= {object_id for _, object_id in hidden}  # so the engine's walls were off indeed
