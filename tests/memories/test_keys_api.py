"""`keys/`: keys that issue, list, rotate and revoke keys, and never more than they are themselves."""

from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.utils import timezone

from backends.search import names
from memories.services.engine import search_engine
from tenants.models import ApiKey, EngineCredential, Event, KeyTemplate, Subject
from tenants.scope import Ability, Quotas
from tenants.services.issue_key import KEY_ABILITIES, issue_key
from tenants.services.open_scope import open_scope
from tenants.services.seed_templates import SEEDS
from tests.conftest import Caller, client_with, login
from tests.plugin import DATABASE

KEYS = "/api/v1/keys/"
ALL = list(KEY_ABILITIES)


def manager(caller: Caller, **fields: Any) -> Any:
    """Return a client whose key manages keys."""
    given = {"abilities": ALL, "compartments": ["doctor", "patient", "care", "family"], **fields}
    return client_with(issue_key(caller.system, name="manager", now=timezone.now(), **given).secret)


def issue(client: Any, status: int = 201, **fields: Any) -> dict[str, Any]:
    headers = {"HTTP_IDEMPOTENCY_KEY": fields.pop("once")} if "once" in fields else {}
    answer = client.post(KEYS, {"name": "agent", **fields}, format="json", **headers)
    assert answer.status_code == status, answer.content
    said: dict[str, Any] = answer.json()
    return said


def works(secret: str) -> bool:
    return client_with(secret).get("/api/v1/keys/me/").status_code == 200


def test_a_key_is_issued_listed_used_and_revoked(acme: Caller) -> None:
    client = manager(acme)
    acme.turn("the otter is called Bramble", user_id="u1")
    made = issue(
        client, user_id="u1", abilities=["memories:read"], memory_types=["episodic"], compartments=["doctor"],
        hidden_fields=["sensitive_notes"], purpose="support", expires_in_days=30, recalls_a_minute=60,
    )  # fmt: skip
    own = client_with(made["secret"])
    me = own.get("/api/v1/keys/me/").json()
    assert {name: me[name] for name in made if name in me} == {
        **{name: made[name] for name in made if name != "secret"}, "last_used_at": me["last_used_at"],
    }  # fmt: skip
    assert me["last_used_at"] is not None
    assert me["quotas"] == {"requests_a_minute": None, "turns_a_day": None, "recalls_a_minute": 60}
    assert own.post("/api/v1/recall/", {"query": "otter"}, format="json").json()["results"]
    listed = client.get(KEYS).json()["results"]
    assert listed[0]["key_id"] == made["key_id"]
    assert [key["name"] for key in client.get(f"{KEYS}?user_id=u1").json()["results"]] == ["agent"]
    page = client.get(f"{KEYS}?limit=1").json()
    assert client.get(f"{KEYS}?limit=1&before={page['next']}").json()["results"] == listed[1:2]
    with open_scope(acme.system):
        held = list(EngineCredential.objects.filter(api_key_id=made["key_id"]).values_list("engine_id", flat=True))
    assert held
    ended = client.delete(f"{KEYS}{made['key_id']}/")
    assert (ended.status_code, ended.json()["engine_confirmed"]) == (200, True)
    assert ended.json()["revoked_at"] is not None
    assert not works(made["secret"])
    assert [search_engine().reach_of(engine_id) for engine_id in held] == [None] * len(held)
    assert client.get(f"{KEYS}{made['key_id']}/").json()["revoked_at"] == ended.json()["revoked_at"]
    with open_scope(acme.system):
        kinds = set(Event.objects.filter(object_ids__contains=[made["key_id"]]).values_list("kind", flat=True))
    assert kinds == {"key.issued", "key.used", "key.revoked", "key.refused"}


def test_the_secret_is_in_one_answer_and_stored_nowhere(acme: Caller, superuser_dsn: str) -> None:
    client = manager(acme)
    first = issue(client, once="issue 1")
    again = client.post(KEYS, {"name": "agent"}, format="json", HTTP_IDEMPOTENCY_KEY="issue 1")
    assert (again.status_code, again["Idempotency-Replayed"]) == (201, "true")
    assert again.json() == {**first, "secret": None}
    other = client.post(KEYS, {"name": "other"}, format="json", HTTP_IDEMPOTENCY_KEY="issue 1")
    assert other.json()["type"] == "/problems/idempotency-key-reused/"
    assert works(first["secret"])
    for path in ("", f"{first['key_id']}/", "me/"):
        assert first["secret"] not in client.get(KEYS + path).content.decode()
    secret_part = first["secret"].rpartition("_")[2]
    with psycopg.connect(superuser_dsn, dbname=DATABASE) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        for (table,) in tables:
            row = connection.execute(f"SELECT count(*) FROM {table} t WHERE t::text LIKE %s", [f"%{secret_part}%"])
            assert row.fetchone() == (0,), table


def test_a_key_gives_no_more_than_it_is(acme: Caller) -> None:
    plain = manager(
        acme, abilities=[Ability.KEYS_MANAGE, Ability.MEMORIES_READ], kinds=[names.EPISODIC], compartments=["family"],
        quotas=Quotas(recalls_a_minute=10),
    )  # fmt: skip
    fits: dict[str, Any] = {"abilities": ["memories:read"], "recalls_a_minute": 5}
    assert issue(plain, **fits)["memory_types"] == ["episodic"]
    for more in (
        {"abilities": ["memories:write"]},
        {"memory_types": ["semantic"]},
        {"compartments": ["doctor"]},
        {"recalls_a_minute": 11},
        {"recalls_a_minute": 0},
        {"template": "customer-service"},
    ):
        asked = {**fits, **more} if "template" not in more else more
        assert issue(plain, 403, **asked)["type"] == "/problems/denied/", more
    strong = issue(manager(acme), abilities=["memories:read", "compliance"])
    assert plain.post(f"{KEYS}{strong['key_id']}/rotate/", {}, format="json").status_code == 403
    assert works(strong["secret"])


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"abilities": ["memories:burn"]}, "abilities.0"),
        ({"abilities": ["members:manage"]}, "abilities.0"),
        ({"abilities": []}, "abilities"),
        ({"memory_types": ["dreams"]}, "memory_types.0"),
        ({"compartments": ["none"]}, "compartments"),
        ({"compartments": ["x" * 65]}, "compartments.0"),
        ({"template": "nothing"}, "template"),
        ({"template": "healthcare-patient"}, "user_id"),
        ({"expires_in_days": 0}, "expires_in_days"),
        ({"turns_a_day": -1}, "turns_a_day"),
        ({"turns_a_day": 2**31}, "turns_a_day"),
        ({"name": "\u0000"}, "name"),
        ({"ability": "x"}, "ability"),
    ],
)
def test_a_key_that_cannot_be_is_one_clear_error(acme: Caller, fields: dict[str, Any], field: str) -> None:
    before = len(manager(acme).get(KEYS).json()["results"])
    said = issue(manager(acme), 400, **fields)
    assert said["errors"][0]["field"] == field, said
    assert len(manager(acme).get(KEYS).json()["results"]) == before + 2


def test_a_key_for_a_user_nobody_knows_yet_makes_the_user(acme: Caller) -> None:
    client = manager(acme)
    made = issue(client, template="healthcare-patient", user_id="newcomer", once="n1")
    own = client_with(made["secret"])
    assert own.post("/api/v1/turns/", {"session_id": "s", "content": "I am new"}, format="json").status_code == 201
    assert acme.recall("new", user_id="newcomer")["results"][0]["user_id"] == "newcomer"
    assert issue(client, user_id="newcomer", template="healthcare-patient")["user_id"] == "newcomer"


def test_only_keys_that_manage_keys_open_the_door(acme: Caller, globex: Caller) -> None:
    foreign = issue(manager(globex), name="theirs")["key_id"]
    client = manager(acme)
    calls = [
        ("get", KEYS, None),
        ("post", KEYS, {"name": "x"}),
        ("get", f"{KEYS}{foreign}/", None),
        ("delete", f"{KEYS}{foreign}/", None),
        ("post", f"{KEYS}{foreign}/rotate/", {}),
        ("get", f"{KEYS}templates/", None),
    ]
    for method, path, body in calls:
        assert getattr(acme.client, method)(path, body, format="json").status_code == 403, path
        if foreign in path:
            assert getattr(client, method)(path, body, format="json").status_code == 404, path
    with open_scope(globex.system):
        assert ApiKey.objects.get(id=foreign).revoked_at is None


def test_a_key_of_one_user_manages_that_users_keys_only(acme: Caller) -> None:
    acme.turn("mine", user_id="u1")
    acme.turn("yours", user_id="u2")
    boss = manager(acme)
    others = [issue(boss, user_id="u2")["key_id"], str(acme.key.id)]
    own = client_with(issue(boss, user_id="u1", abilities=[str(ability) for ability in ALL])["secret"])
    made = issue(own, abilities=["memories:read"])
    assert made["user_id"] == "u1"
    assert {key["user_id"] for key in own.get(KEYS).json()["results"]} == {"u1"}
    for key_id in others:
        assert own.get(f"{KEYS}{key_id}/").status_code == 404
        assert own.delete(f"{KEYS}{key_id}/").status_code == 404
        assert own.post(f"{KEYS}{key_id}/rotate/", {}, format="json").status_code == 404
    assert own.delete(f"{KEYS}{made['key_id']}/").status_code == 200


def test_rotation_overlaps_and_keeps_every_right(acme: Caller) -> None:
    client = manager(acme)
    acme.turn("mine", user_id="u1")
    old = issue(client, user_id="u1", template="healthcare-patient", turns_a_day=7)
    path = f"{KEYS}{old['key_id']}/rotate/"
    answer = client.post(path, {"overlap_s": 3600}, format="json", HTTP_IDEMPOTENCY_KEY="r1")
    assert answer.status_code == 201
    new = answer.json()
    kept = (
        "name",
        "template",
        "user_id",
        "abilities",
        "memory_types",
        "compartments",
        "hidden_fields",
        "purpose",
        "quotas",
    )
    assert {name: new[name] for name in kept} == {name: old[name] for name in kept}
    assert works(old["secret"])
    assert works(new["secret"])
    assert new["old_key_ends_at"] < (timezone.now() + timedelta(seconds=3601)).isoformat()
    again = client.post(path, {"overlap_s": 3600}, format="json", HTTP_IDEMPOTENCY_KEY="r1").json()
    assert (again["key_id"], again["secret"]) == (new["key_id"], None)
    at_once = client.post(f"{KEYS}{new['key_id']}/rotate/", {"overlap_s": 0}, format="json").json()
    assert at_once["engine_confirmed"] is True
    assert not works(new["secret"])
    assert works(at_once["secret"])
    dead = client.post(f"{KEYS}{new['key_id']}/rotate/", {}, format="json")
    assert (dead.status_code, dead.json()["type"]) == (409, "/problems/key-not-live/")
    for wrong in (-1, 7 * 86400 + 1, "soon"):
        assert client.post(path, {"overlap_s": wrong}, format="json").status_code == 400


def test_a_key_may_rotate_and_revoke_itself(acme: Caller) -> None:
    issued = issue_key(acme.system, name="me", abilities=ALL, now=timezone.now())
    new = client_with(issued.secret).post(f"{KEYS}{issued.key.id}/rotate/", {"overlap_s": 0}, format="json").json()
    assert not works(issued.secret)
    successor = client_with(new["secret"])
    assert successor.delete(f"{KEYS}{new['key_id']}/").status_code == 200
    assert successor.get(KEYS).status_code == 401


def test_a_template_fills_what_is_left_out_and_changes_no_key_later(acme: Caller) -> None:
    client = manager(acme)
    acme.turn("mine", user_id="u1")
    patient = issue(client, template="healthcare-patient", user_id="u1")
    assert patient["hidden_fields"] == ["sensitive_notes"]
    assert patient["compartments"] == ["patient"]
    assert patient["abilities"] == ["memories:read", "turns:write"]
    analyst = issue(client, template="read-only-analyst", purpose="audit of May")
    assert analyst["expires_at"] is not None
    assert analyst["purpose"] == "audit of May"
    reader = client_with(analyst["secret"])
    assert reader.post("/api/v1/turns/", {"session_id": "s", "content": "x"}, format="json").status_code == 403
    with open_scope(acme.system):
        KeyTemplate.objects.filter(name="read-only-analyst").update(abilities=["turns:write"], lives_days=1)
    assert client.get(f"{KEYS}{analyst['key_id']}/").json()["abilities"] == analyst["abilities"]
    assert reader.get("/api/v1/memories/").status_code == 200
    assert issue(client, template="read-only-analyst")["abilities"] == ["turns:write"]


def test_the_use_of_a_key_is_noted_seldom_and_never_waits(acme: Caller, superuser_dsn: str) -> None:
    made = issue(manager(acme))
    with psycopg.connect(superuser_dsn, dbname=DATABASE) as other:
        other.execute("SELECT FROM tenants_apikey WHERE id = %s FOR UPDATE", [made["key_id"]])
        start = timezone.now()
        assert works(made["secret"])
        assert timezone.now() - start < timedelta(seconds=2)
    for _ in range(3):
        assert works(made["secret"])
    with open_scope(acme.system):
        used = ApiKey.objects.get(id=made["key_id"]).last_used_at
        assert used is not None
        assert Event.objects.filter(kind="key.used", key_id=made["key_id"]).count() == 1
    with psycopg.connect(superuser_dsn, dbname=DATABASE, autocommit=True) as superuser:
        superuser.execute("UPDATE tenants_apikey SET last_used_at = last_used_at - interval '25 hours'")
    assert works(made["secret"])
    with open_scope(acme.system):
        assert Event.objects.filter(kind="key.used", key_id=made["key_id"]).count() == 2


def test_who_erases_a_user_erases_the_requests_that_made_its_keys(acme: Caller, superuser_dsn: str) -> None:
    from memories.services.erase import erase_step, open_jobs

    acme.turn("mine", user_id="u1")
    client = manager(acme)
    issue(client, user_id="u1", once="key for u1 zebraword")
    (subject,) = client.get("/api/v1/subjects/?user_id=u1").json()["results"]
    assert client.post(f"/api/v1/subjects/{subject['id']}/erase/", {}, format="json").status_code == 202
    with login("mneme_worker"):
        for job in open_jobs():
            erase_step(job, engine=search_engine(), now=timezone.now())
    with psycopg.connect(superuser_dsn, dbname=DATABASE) as connection:
        row = connection.execute("SELECT count(*) FROM memories_idempotencykey WHERE key LIKE '%zebraword%'")
        assert row.fetchone() == (0,)


def test_templates_are_read_made_changed_and_removed(acme: Caller, globex: Caller) -> None:
    client, templates = manager(acme), f"{KEYS}templates/"
    seeded = {template["name"] for template in client.get(templates).json()["results"]}
    assert seeded == {seed.name for seed in SEEDS}
    body = {"description": "Listens.", "abilities": ["turns:write"], "memory_types": ["episodic"], "turns_a_day": 9}
    made = client.put(f"{templates}listener/", body, format="json")
    assert (made.status_code, made.json()["quotas"]["turns_a_day"]) == (200, 9)
    stale = made["ETag"]
    assert client.get(f"{templates}listener/").json() == made.json()
    changed = client.put(f"{templates}listener/", {**body, "per_user": True}, format="json", HTTP_IF_MATCH=stale)
    assert (changed.status_code, changed.json()["per_user"]) == (200, True)
    lost = client.put(f"{templates}listener/", body, format="json", HTTP_IF_MATCH=stale)
    assert (lost.status_code, lost.json()["type"]) == (412, "/problems/stale/")
    assert manager(globex).get(f"{templates}listener/").status_code == 404
    assert client.delete(f"{templates}listener/").status_code == 204
    assert client.delete(f"{templates}listener/").status_code == 404
    for wrong in ({}, {"abilities": ["x"]}, {"abilities": ["turns:write"], "compartments": ["none"]}):
        assert client.put(f"{templates}odd/", wrong, format="json").status_code == 400
    with open_scope(acme.system):
        kinds = list(Event.objects.filter(kind__startswith="template.").order_by("at").values_list("kind", flat=True))
    assert kinds == ["template.changed", "template.changed", "template.removed"]


def test_a_template_holds_no_more_than_who_writes_it(acme: Caller) -> None:
    weak = manager(acme, abilities=[Ability.KEYS_MANAGE, Ability.MEMORIES_READ], compartments=["family"])
    path = f"{KEYS}templates/read-only-analyst/"
    for more in ({"abilities": ["compliance"]}, {"abilities": ["memories:read"], "compartments": ["doctor"]}):
        assert weak.put(path, more, format="json").status_code == 403
    assert weak.put(path, {"abilities": ["memories:read"]}, format="json").status_code == 200
    # What a template leaves out of quotas its keys have from who issues them, so it is nothing that could be wider.
    slow = manager(acme, quotas=Quotas(turns_a_day=5))
    assert slow.put(path, {"abilities": ["memories:read"], "recalls_a_minute": 3}, format="json").status_code == 200
    assert slow.put(path, {"abilities": ["memories:read"], "turns_a_day": 6}, format="json").status_code == 403
    assert issue(slow, template="read-only-analyst")["quotas"]["turns_a_day"] == 5
    acme.turn("mine", user_id="u1")
    with open_scope(acme.system):
        own = manager(acme, subject=Subject.objects.get(external_id="u1"))
    assert own.get(f"{KEYS}templates/").status_code == 200
    assert own.put(path, {"abilities": ["memories:read"]}, format="json").status_code == 403
    assert own.delete(path).status_code == 403


def test_doctor_and_patient_see_what_is_theirs(acme: Caller, superuser_dsn: str) -> None:
    client = manager(acme)
    acme.turn("hello", user_id="ada")
    doctor = client_with(issue(client, template="healthcare-doctor")["secret"])
    patient = client_with(issue(client, template="healthcare-patient", user_id="ada")["secret"])
    fact = {"user_id": "ada", "text": "Ada takes ramipril", "sensitive_notes": "doubts about adherence"}
    shared = doctor.post("/api/v1/memories/", fact, format="json").json()
    private = doctor.post("/api/v1/memories/", {**fact, "text": "Ada may have arrhythmia"}, format="json").json()
    with psycopg.connect(superuser_dsn, dbname=DATABASE, autocommit=True) as superuser:
        superuser.execute("SET session_replication_role = replica")
        for row, word in ((shared, "patient"), (private, "doctor")):
            superuser.execute("UPDATE memories_memory SET compartments = %s WHERE id = %s", [[word], row["id"]])
    seen = patient.get(f"/api/v1/memories/{shared['id']}/")
    assert seen.status_code == 200
    assert "adherence" not in seen.content.decode()
    assert patient.get(f"/api/v1/memories/{private['id']}/").status_code == 404
    assert "adherence" in doctor.get(f"/api/v1/memories/{private['id']}/").content.decode()
