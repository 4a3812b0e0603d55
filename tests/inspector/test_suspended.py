"""A suspended tenant: its keys are refused at once and its sockets closed; its data stays, and the worker goes on."""

import time
from collections.abc import Callable

from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from memories.models import Memory
from memories.services.engine import search_engine
from memories.services.erase import erase_step, open_jobs
from tenants.models import Event
from tenants.roles import Role
from tenants.scope import Ability
from tenants.services.issue_key import issue_key
from tenants.services.open_scope import open_operator, open_scope
from tests.conftest import Caller, client_with, login
from tests.inspector.conftest import Hire, OpenSocket
from tests.inspector.test_stream import note_many

DENIED = 4403


def suspend(slug: str) -> None:
    with login("mneme_worker"):
        call_command("suspend_tenant", slug)


def test_every_key_is_refused_at_once_and_let_in_again(acme: Caller, globex: Caller) -> None:
    acme.turn("the otter is called Bramble")
    suspend("acme")
    for method, path, body in (("get", "keys/me/", None), ("post", "turns/", {"session_id": "s", "content": "x"})):
        answer = getattr(acme.client, method)(f"/api/v1/{path}", body, format="json")
        assert (answer.status_code, answer.json()["type"]) == (403, "/problems/tenant-suspended/")
        assert "ask the operator" in answer.json()["detail"]
    assert client_with(acme.secret[:-1] + "x").get("/api/v1/keys/me/").status_code == 401
    assert globex.client.get("/api/v1/keys/me/").status_code == 200
    with login("mneme_worker"):
        call_command("suspend_tenant", "acme")
        call_command("resume_tenant", "acme")
    assert acme.recall("otter")["results"]
    with open_scope(acme.system):
        kinds = list(Event.objects.filter(kind__startswith="tenant.").order_by("at").values_list("kind", flat=True))
        assert Event.objects.get(kind="key.refused", data__reason="tenant_suspended").key_id is None
    assert kinds == ["tenant.created", "tenant.suspended", "tenant.resumed"]
    with login("mneme_worker"), open_operator():
        site = list(Event.objects.filter(tenant_id=None, kind__startswith="tenant.", object_ids=[acme.key.tenant_id])
                    .order_by("at").values_list("kind", flat=True))  # fmt: skip
    assert site == kinds


def test_sockets_of_keys_and_of_staff_are_closed(acme: Caller, open_socket: OpenSocket, hire: Hire) -> None:
    note_many(acme, 1)
    vera = hire("vera", Role.VIEWER, acme)
    sockets = [
        open_socket("/ws/events/?tenant=acme", key=acme.secret).start(),
        open_socket("/ws/events/?tenant=acme", staff=vera).start(),
    ]
    for socket in sockets:
        assert socket.hear()
    suspend("acme")
    start = time.monotonic()
    assert [socket.close_code(12) for socket in sockets] == [DENIED, DENIED]
    assert time.monotonic() - start < 30
    assert open_socket("/ws/events/?tenant=acme", key=acme.secret).close_code() == DENIED


def test_sync_and_erasures_go_on_and_the_admin_shows_the_state(
    acme: Caller, hire: Hire, drain: Callable[[], None]
) -> None:
    acme.turn("the otter is called Bramble", user_id="u1")
    acme.turn("the heron is called Quill", user_id="u2")
    officer = client_with(
        issue_key(acme.system, name="o", abilities=[Ability.COMPLIANCE, Ability.MEMORIES_READ],
                  now=timezone.now()).secret
    )  # fmt: skip
    (subject,) = officer.get("/api/v1/subjects/?user_id=u1").json()["results"]
    assert officer.post(f"/api/v1/subjects/{subject['id']}/erase/", {}, format="json").status_code == 202
    suspend("acme")
    with login("mneme_worker"):
        (job_id,) = open_jobs()
        erase_step(job_id, engine=search_engine(), now=timezone.now())
    drain()
    with login("mneme_worker"):
        assert erase_step(job_id, engine=search_engine(), now=timezone.now()).state == "done"
        assert search_engine().count_of_tenant(acme.key.tenant_id) == 1
    with open_scope(acme.system):
        assert [row.text for row in Memory.objects.all()] == ["the heron is called Quill"]
    olga = hire("olga", Role.OWNER, acme)
    olga.client.post(reverse("admin:choose_tenant"), {"tenant_id": str(acme.key.tenant_id)})
    page = olga.client.get(reverse("admin:tenants_tenant_changelist")).content.decode()
    assert "suspended: every key is refused" in page
    assert "· suspended" in page
    assert "suspended" in olga.client.get(reverse("admin:choose_tenant")).content.decode()
