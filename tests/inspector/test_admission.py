"""Who may watch: members of the tenant by session, keys of the tenant; everybody else gets nothing."""

import time
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from inspector.routing import websockets
from memories.services.engine import search_engine
from memory_site.stack.valkey import Valkey
from tenants.models import Event, Membership, Subject
from tenants.roles import Role
from tenants.scope import Ability, Quotas
from tenants.services.issue_key import issue_key
from tenants.services.open_scope import open_scope
from tenants.services.revoke_key import revoke_key
from tests.conftest import Caller, client_with
from tests.inspector.conftest import HOST, Hire, OpenSocket, seal_and_announce
from tests.inspector.test_stream import note_many, numbers

UNAUTHENTICATED, DENIED, SPENT = 4401, 4403, 4429
NO_SESSIONS = [
    {"cookie": f"{django_settings.SESSION_COOKIE_NAME}={key}"} for key in ("nonsense", '"\\000aaaaaaaaaaa"', "A" * 32)
]


def test_a_member_of_staff_watches_by_session(acme: Caller, open_socket: OpenSocket, hire: Hire) -> None:
    note_many(acme, 1)
    viewer = hire("vera", Role.VIEWER, acme)
    socket = open_socket("/ws/events/?tenant=acme", staff=viewer).start()
    seal_and_announce()
    assert "test.noted" in [event["kind"] for event in socket.events(3)]


@pytest.mark.parametrize("tenant", ["acme", "nobody", ""])
def test_a_foreign_member_of_staff_gets_nothing(
    acme: Caller, globex: Caller, open_socket: OpenSocket, hire: Hire, tenant: str
) -> None:
    note_many(acme, 1)
    stranger = hire("stan", Role.OWNER, globex)
    socket = open_socket(f"/ws/events/?tenant={tenant}", staff=stranger)
    assert socket.close_code() == DENIED
    assert socket.start().is_silent()


def test_a_foreign_tenants_key_gets_nothing(acme: Caller, globex: Caller, open_socket: OpenSocket) -> None:
    socket = open_socket("/ws/events/?tenant=acme", key=globex.secret)
    assert socket.close_code() == DENIED
    assert socket.start().is_silent()


@pytest.mark.parametrize("tenant", ["%00", "acme%00", "%ff", "%ed%a0%80", "a" * 10_000, "%20", "ACME"])
def test_a_tenant_that_none_can_be_called_is_denied_by_key_and_by_session(
    acme: Caller, open_socket: OpenSocket, hire: Hire, tenant: str
) -> None:
    viewer = hire("vera", Role.VIEWER, acme)
    for socket in (
        open_socket(f"/ws/events/?tenant={tenant}", key=acme.secret),
        open_socket(f"/ws/events/?tenant={tenant}", staff=viewer),
    ):
        assert socket.close_code() == DENIED


def test_the_keys_own_tenant_may_be_named(acme: Caller, open_socket: OpenSocket) -> None:
    note_many(acme, 1)
    assert numbers(open_socket("/ws/events/?tenant=acme", key=acme.secret).start().events(3)) == [1, 2, 3]


def test_a_user_who_is_no_staff_gets_nothing(acme: Caller, open_socket: OpenSocket, hire: Hire) -> None:
    former = hire("fred", Role.OWNER, acme)
    User.objects.filter(pk=former.id).update(is_staff=False)
    assert open_socket("/ws/events/?tenant=acme", staff=former).close_code() == DENIED


@pytest.mark.parametrize("headers", [{}, *NO_SESSIONS, {"authorization": "Bearer nonsense"}])
def test_nobody_gets_nothing(acme: Caller, open_socket: OpenSocket, headers: dict[str, str]) -> None:
    headers = {"origin": f"http://{HOST}", **headers}
    assert open_socket("/ws/events/?tenant=acme", **headers).close_code() == UNAUTHENTICATED


def test_a_key_of_one_user_or_without_reading_gets_nothing(acme: Caller, open_socket: OpenSocket) -> None:
    acme.turn("mine", user_id="u1")
    with open_scope(acme.scope):
        subject = Subject.objects.get(external_id="u1")
    own = issue_key(acme.system, name="u1's", subject=subject, now=timezone.now())
    blind = issue_key(acme.system, name="writer", abilities=[Ability.TURNS_WRITE], now=timezone.now())
    for issued in (own, blind):
        assert open_socket(key=issued.secret).close_code() == DENIED


def test_an_expired_key_gets_nothing(acme: Caller, open_socket: OpenSocket) -> None:
    now = timezone.now()
    issued = issue_key(acme.system, name="short", expires_at=now - timedelta(seconds=1), now=now)
    assert open_socket(key=issued.secret).close_code() == UNAUTHENTICATED


def test_a_key_may_come_as_a_subprotocol_but_not_in_the_url(acme: Caller, open_socket: OpenSocket) -> None:
    note_many(acme, 1)
    offered = f"mneme.events.v1, mneme.key.{acme.secret}"
    socket = open_socket(sec_websocket_protocol=offered)
    assert socket.protocol == "mneme.events.v1"
    assert numbers(socket.start().events(3)) == [1, 2, 3]
    inside = open_socket(f"/ws/events/?key={acme.secret}", origin=f"http://{HOST}")
    assert inside.close_code() == UNAUTHENTICATED


@pytest.mark.parametrize("origin", ["http://evil.example", "https://testserver", "http://testserver:81", "null"])
def test_a_foreign_page_is_refused_whoever_sits_before_it(
    acme: Caller, open_socket: OpenSocket, hire: Hire, origin: str
) -> None:
    viewer = hire("vera", Role.VIEWER, acme)
    assert open_socket("/ws/events/?tenant=acme", staff=viewer, origin=origin).is_accepted is False
    assert open_socket(key=acme.secret, origin=origin).is_accepted is False


def test_a_session_without_an_origin_is_refused(acme: Caller, open_socket: OpenSocket, hire: Hire) -> None:
    session = hire("vera", Role.VIEWER, acme).cookie
    assert open_socket("/ws/events/?tenant=acme", cookie=session).is_accepted is False


def test_who_may_no_longer_watch_is_closed_within_seconds(acme: Caller, open_socket: OpenSocket, hire: Hire) -> None:
    note_many(acme, 1)
    viewer = hire("vera", Role.VIEWER, acme)
    issued = issue_key(acme.system, name="short", now=timezone.now())
    seal_and_announce()
    by_session = open_socket("/ws/events/?tenant=acme", staff=viewer).start()
    by_key = open_socket(key=issued.secret).start()
    by_session.hear()
    by_key.hear()
    with open_scope(acme.system):
        Membership.objects.filter(user_id=viewer.id).delete()
    revoke_key(acme.system, issued.key.id, engine=search_engine(), now=timezone.now())
    time.sleep(5.2)
    note_many(acme, 1)
    assert by_session.close_code() == DENIED
    assert by_key.close_code() == UNAUTHENTICATED


def test_the_page_is_for_members_and_runs_nothing_but_our_own(acme: Caller, globex: Caller, hire: Hire) -> None:
    viewer, stranger = hire("vera", Role.VIEWER, acme), hire("stan", Role.OWNER, globex)
    page = viewer.client.get("/inspector/acme/")
    assert page.status_code == 200
    assert "default-src 'self'; script-src 'self'; style-src 'self'" in page["Content-Security-Policy"]
    assert "no-store" in page["Cache-Control"]
    for inline in ("style=", "<style", "onclick", "<script>"):
        assert inline not in page.content.decode()
    assert page.content.decode().count("<script") == 1
    foreign, missing = stranger.client.get("/inspector/acme/"), stranger.client.get("/inspector/nobody/")
    assert (foreign.status_code, missing.status_code) == (404, 404)
    assert foreign.content == missing.content


def test_the_page_asks_who_you_are(acme: Caller, record: None) -> None:
    answer = Client().get("/inspector/acme/")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/admin/login/?next=/inspector/acme/")


def test_without_a_tenant_the_page_leads_to_the_one_or_lists_the_members_own(
    acme: Caller, globex: Caller, hire: Hire
) -> None:
    one = hire("una", Role.VIEWER, acme).client.get("/inspector/")
    assert (one.status_code, one["Location"]) == (302, "/inspector/acme/")
    both = hire("bo", Role.VIEWER, acme, globex).client.get("/inspector/").content.decode()
    assert "/inspector/acme/" in both
    assert "/inspector/globex/" in both
    none = hire("nell", Role.VIEWER).client.get("/inspector/").content.decode()
    assert "a member of no tenant" in none
    assert "acme" not in none
    assert Client().get("/inspector/").status_code == 302


def test_every_socket_of_the_site_is_tried_here() -> None:
    """A new socket belongs into the tests above, with a foreign key, a foreign member and nobody."""
    served = {str(route.pattern) for route in websockets.routes}
    assert served == {"ws/events/", ""}


def test_sockets_and_what_they_load_count_against_the_keys_requests(
    acme: Caller, open_socket: OpenSocket, valkey: Valkey, settings: Any
) -> None:
    valkey.start()
    settings.REDIS_URL = valkey.address
    issued = issue_key(acme.system, name="watcher", quotas=Quotas(requests_a_minute=4), now=timezone.now())
    seal_and_announce()
    socket = open_socket(key=issued.secret).start()
    assert socket.hear()["type"] == "events"
    for _ in range(2):
        socket.say('{"type": "load", "after": 0, "until": 1}')
        assert socket.hear()["type"] == "loaded"
    second = open_socket(key=issued.secret)
    assert second.is_silent(), "the fourth"
    assert open_socket(key=issued.secret).close_code() == SPENT
    socket.say('{"type": "load", "after": 0, "until": 1}')
    assert socket.close_code() == SPENT
    assert client_with(issued.secret).get("/api/v1/keys/me/").status_code == 429
    with open_scope(acme.system):
        assert Event.objects.get(kind="quota.spent", data__asked="ws/events/").key_id == issued.key.id
