"""Erasing a user: the canary word is gone everywhere, another user's stays, and nothing brings it back."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.utils import timezone
from psycopg import sql

from backends.search.changes import Change
from memories.documents.registry import body_of
from memories.models import OutboxEntry
from memories.services.embed_rows import embed_rows
from memories.services.engine import embedder, search_engine
from memories.services.erase import erase_step, open_jobs
from memories.services.erasure_ledger import erasures
from memories.services.searched import rows_with_vectors
from memories.tasks import erase_task
from tenants.models import EngineCredential, Job, Subject
from tenants.models.job import State
from tenants.scope import Ability
from tenants.services.create_tenant import system_scope
from tenants.services.issue_key import issue_key
from tenants.services.open_scope import open_operator, open_scope
from tests.conftest import Caller, client_with, login
from tests.plugin import DATABASE

pytestmark = pytest.mark.usefixtures("each_engine")

CANARY = "zebrafinchword"


@pytest.fixture
def officer(acme: Caller) -> Any:
    """Return a client whose key has the ability compliance."""
    issued = issue_key(
        system_scope(acme.key.tenant_id), name="officer", abilities=[Ability.COMPLIANCE, Ability.MEMORIES_READ],
        now=timezone.now(),
    )  # fmt: skip
    return client_with(issued.secret)


def fill(caller: Caller, user_id: str) -> dict[str, Any]:
    """Write one of everything that names the canary; return the turn's answer."""
    turn = caller.turn(f"My {CANARY} of {user_id} sits in the hall", user_id=user_id, session_id=f"s {user_id}")
    post = caller.client.post
    base = {"user_id": user_id}
    fact = {**base, "text": f"{user_id} owns a {CANARY}", "sources": [{"turn_id": turn["turn_id"]}],
            "metadata": {"note": CANARY}, "sensitive_notes": CANARY}  # fmt: skip
    assert (
        post("/api/v1/memories/", fact, format="json", HTTP_IDEMPOTENCY_KEY=f"{user_id} {CANARY}").status_code == 201
    )
    for wish in ("Remember that I like oboes", "Forget that I like horns"):  # the second finds nothing
        key = f"{user_id} {CANARY}, {wish}"
        assert post("/api/v1/intents/", {**base, "text": wish}, format="json", HTTP_IDEMPOTENCY_KEY=key).json()[
            "verb"
        ]
    playbook = {**base, "trigger": f"{CANARY} is silent", "steps": ["open the cage"]}
    assert post("/api/v1/procedures/", playbook, format="json").status_code == 201
    ids = [
        post("/api/v1/entities/", {**base, "entity_type": "pet", "name": f"{name} {CANARY}"}, format="json").json()[
            "id"
        ]
        for name in ("Quill", "Bramble")
    ]
    relation = {**base, "subject_entity_id": ids[0], "predicate": f"likes {CANARY}", "object_entity_id": ids[1]}
    assert post("/api/v1/relations/", relation, format="json").status_code == 201
    return turn


def subject_id(caller: Caller, user_id: str) -> Any:
    with open_scope(caller.scope):
        return Subject.objects.get(external_id=user_id).id


def rows_with(dsn: str, word: str) -> Iterator[str]:
    """Yield every table with a row that holds a word, in any column."""
    with psycopg.connect(dsn, dbname=DATABASE) as connection:
        tables = connection.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname IN ('public', 'engine')"
        ).fetchall()
        for schema, table in tables:
            query = sql.SQL("SELECT count(*) FROM {} AS t WHERE t::text ILIKE %s").format(
                sql.Identifier(schema, table)
            )
            row = connection.execute(query, [f"%{word}%"]).fetchone()
            if row and row[0]:
                yield f"{schema}.{table}"


def finish(drain: Callable[[], None], job_id: str) -> Job:
    for _ in range(5):
        with login("mneme_worker"):
            for open_id in open_jobs():
                erase_step(open_id, engine=search_engine(), now=timezone.now())
        drain()
    with login("mneme_worker"), open_operator():
        return Job.objects.get(id=job_id)


def test_a_canary_of_one_user_is_gone_everywhere_and_anothers_stays(
    acme: Caller, officer: Any, drain: Callable[[], None], superuser_dsn: str
) -> None:
    gone_turn = fill(acme, "u1")
    fill(acme, "u2")
    drain()
    assert acme.recall(CANARY, user_id="u1")["results"]
    erased = subject_id(acme, "u1")
    before = set(rows_with(superuser_dsn, f"u1 {CANARY}")) | set(rows_with(superuser_dsn, str(erased)))
    assert "public.memories_memory" in before
    answer = officer.post(f"/api/v1/subjects/{erased}/erase/", {}, format="json")
    assert answer.status_code == 202
    # From the answer on nobody sees it: not by the user, not tenant-wide, not by id.
    assert not acme.recall(CANARY, user_id="u1")["results"]
    everyone = acme.client.post("/api/v1/recall/", {"query": CANARY, "top_k": 50}, format="json").json()["results"]
    assert {hit["user_id"] for hit in everyone} == {"u2"}
    assert acme.client.get(f"/api/v1/memories/{gone_turn['memory_id']}/").status_code == 404
    assert officer.post(f"/api/v1/subjects/{erased}/erase/", {}, format="json").status_code == 404
    job = finish(drain, answer.json()["id"])
    assert job.state == State.DONE, job.result
    with login("mneme_worker"):
        engine = search_engine()
        assert engine.count_of_subject(acme.key.tenant_id, erased) == 0
    assert officer.get(f"/api/v1/jobs/{job.id}/").json()["result"] == {"record": 0, engine.name: 0, "waiting": 0}
    left = set(rows_with(superuser_dsn, str(erased)))
    # The id alone, which means nothing any more, stays where the erasure itself is told, and in engines' tombstones.
    assert left <= {"public.tenants_event", "public.tenants_job", "engine.place"}, left
    for words in (f"{CANARY} of u1", f"u1 owns a {CANARY}", f"u1 {CANARY}"):
        assert not set(rows_with(superuser_dsn, words)), words
    assert set(rows_with(superuser_dsn, f"{CANARY} of u2")) >= {"public.memories_turn", "public.memories_memory"}
    assert {hit["user_id"] for hit in acme.recall(CANARY, user_id="u2", top_k=50)["results"]} == {"u2"}
    with login("mneme_worker"), open_operator():
        assert not EngineCredential.objects.filter(subject_id=erased).exists()


def test_a_delayed_write_and_a_late_embedding_bring_nothing_back(
    acme: Caller, officer: Any, drain: Callable[[], None]
) -> None:
    turn = fill(acme, "u1")
    drain()
    key = ("episodic", turn["memory_id"])
    with login("mneme_worker"), open_operator():
        (row,) = rows_with_vectors([key], model=embedder().model).values()
    delayed = Change(
        tenant_id=acme.key.tenant_id, kind="episodic", id=row.id, version=row.doc_version, body=body_of(row)
    )
    erased = subject_id(acme, "u1")
    job_id = officer.post(f"/api/v1/subjects/{erased}/erase/", {}, format="json").json()["id"]
    assert finish(drain, job_id).state == State.DONE
    with login("mneme_worker"):
        engine = search_engine()
        engine.apply([delayed])
        engine.refresh()
        assert engine.count_of_subject(acme.key.tenant_id, erased) == 0
        assert embed_rows([row], embedder(), until=0.0).done == 1
        with open_operator():
            assert not OutboxEntry.objects.filter(object_id=row.id, applied_at__isnull=True).exists()
    drain()
    assert acme.recall(CANARY, user_id="u1")["results"] == []


def test_who_comes_back_is_another_subject_with_nothing_of_the_old(
    acme: Caller, officer: Any, drain: Callable[[], None]
) -> None:
    fill(acme, "u1")
    erased = subject_id(acme, "u1")
    job_id = officer.post(f"/api/v1/subjects/{erased}/erase/", {}, format="json").json()["id"]
    acme.turn("I am back and like chess", user_id="u1")
    assert finish(drain, job_id).state == State.DONE
    assert subject_id(acme, "u1") != erased
    assert [hit["text"] for hit in acme.recall("chess", user_id="u1")["results"]] == ["I am back and like chess"]


def test_a_users_own_key_ends_with_the_user(acme: Caller, officer: Any, drain: Callable[[], None]) -> None:
    fill(acme, "u1")
    with open_scope(acme.scope):
        subject = Subject.objects.get(external_id="u1")
    own = issue_key(acme.system, name="own", subject=subject, now=timezone.now())
    client = client_with(own.secret)
    assert client.post("/api/v1/recall/", {"query": CANARY}, format="json").status_code == 200
    job_id = officer.post(f"/api/v1/subjects/{subject.id}/erase/", {}, format="json").json()["id"]
    for path, body in (("recall", {"query": CANARY}), ("turns", {"session_id": "s", "content": "x"})):
        assert client.post(f"/api/v1/{path}/", body, format="json").status_code == 401, path
    assert finish(drain, job_id).state == State.DONE
    assert client.post("/api/v1/recall/", {"query": CANARY}, format="json").status_code == 401


def test_only_compliance_erases_and_only_its_own_tenants_users(acme: Caller, globex: Caller, officer: Any) -> None:
    fill(acme, "u1")
    fill(globex, "u1")
    assert acme.client.post(f"/api/v1/subjects/{subject_id(acme, 'u1')}/erase/", {}, format="json").status_code == 403
    theirs = officer.post(f"/api/v1/subjects/{subject_id(globex, 'u1')}/erase/", {}, format="json")
    assert theirs.status_code == 404
    assert globex.recall(CANARY, user_id="u1")["results"]


def test_an_erasure_waits_for_an_engine_that_is_away(
    acme: Caller, officer: Any, drain: Callable[[], None], each_engine: str
) -> None:
    from backends.errors import Unavailable
    from backends.search.connect import connect
    from tests.memories.test_sync import NOWHERE

    fill(acme, "u1")
    drain()
    erased = subject_id(acme, "u1")
    job_id = officer.post(f"/api/v1/subjects/{erased}/erase/", {}, format="json").json()["id"]
    with login("mneme_worker"), pytest.raises(Unavailable):
        erase_step(job_id, engine=connect(NOWHERE[each_engine]), now=timezone.now() + timedelta(seconds=1))
    assert officer.get(f"/api/v1/jobs/{job_id}/").json()["state"] in {"pending", "running"}
    assert finish(drain, job_id).state == State.DONE


def test_an_erasure_waits_while_its_ledger_cannot_be_written(
    acme: Caller, officer: Any, drain: Callable[[], None], tmp_path: Path
) -> None:
    acme.turn(f"My {CANARY} sits in the hall", user_id="u-ada")
    (subject,) = officer.get("/api/v1/subjects/?user_id=u-ada").json()["results"]
    job = officer.post(f"/api/v1/subjects/{subject['id']}/erase/").json()
    before = settings.ERASURES_FILE
    settings.ERASURES_FILE = str(tmp_path)  # a folder
    with login("mneme_worker"):
        erase_task()
        with open_operator():
            waiting = Job.objects.get(id=job["id"])
            assert (waiting.state, "IsADirectoryError" in waiting.message) == (State.RUNNING, True)
            assert Subject.objects.filter(id=subject["id"]).exists()
        settings.ERASURES_FILE = str(tmp_path / "erasures.jsonl")
        for _ in range(3):
            erase_task()
            drain()
        erase_task()
        assert officer.get(f"/api/v1/jobs/{job['id']}/").json()["state"] == "done"
        (erased,) = erasures(tmp_path / "erasures.jsonl")
    assert str(erased.subject_id) == subject["id"]
    assert "u-ada" not in (tmp_path / "erasures.jsonl").read_text()
    settings.ERASURES_FILE = before
