"""The event stream: sealed events in order, resumed without gap or double, whether or not Valkey is there."""

import json
import time
from typing import Any

import psycopg
import pytest
from django.utils import timezone

from inspector.consumers.events import BATCH_EVENTS, GAP_MAX_EVENTS, NEWEST_EVENTS
from memory_site.stack.valkey import Valkey
from tenants.roles import Role
from tenants.services.issue_key import issue_key
from tenants.services.member_scope import staff_scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope
from tests.conftest import Caller
from tests.inspector.conftest import Hire, OpenSocket, seal_and_announce
from tests.plugin import DATABASE

UNREADABLE = 4400


def note_many(caller: Caller, count: int) -> bool:
    """Note so many events and seal them; say whether listeners were told."""
    with open_scope(caller.system):
        for _ in range(count):
            note_event(caller.system, "test.noted", now=timezone.now())
    return seal_and_announce()


def numbers(events: list[dict[str, Any]]) -> list[int]:
    return [event["seq"] for event in events]


def learn(caller: Caller, text: str, **fields: Any) -> dict[str, Any]:
    body = {"user_id": "u1", "text": text, **fields}
    answer = caller.client.post("/api/v1/memories/", body, format="json")
    assert answer.status_code == 201, answer.content
    learned: dict[str, Any] = answer.json()
    return learned


def test_a_key_sees_its_tenants_events_with_what_they_are_about(
    acme: Caller, globex: Caller, open_socket: OpenSocket
) -> None:
    globex.turn("the heron is called Quill")
    said = acme.turn("the otter is called Bramble " + "x" * 300)
    found = acme.recall("otter")
    seal_and_announce()
    events = open_socket(key=acme.secret).start().events(4)
    assert [event["kind"] for event in events] == [
        "tenant.created", "key.issued", "turn.recorded", "recall.answered",
    ]  # fmt: skip
    assert numbers(events) == [1, 2, 3, 4]
    recorded = events[2]
    assert recorded["object_ids"] == [said["turn_id"], said["memory_id"]]
    turn, memory = (recorded["objects"][key] for key in recorded["object_ids"])
    assert turn["type"] == "turn"
    assert turn["text"].startswith("the otter is called Bramble xxx")
    assert len(turn["text"]) == 280
    assert turn["shortened"] is True
    assert (turn["user_id"], turn["session_id"], turn["role"]) == ("u1", "s1", "user")
    assert (memory["type"], memory["status"], memory["turn_id"]) == ("memory", "active", said["turn_id"])
    assert found["results"][0]["memory_id"] in events[3]["objects"]
    assert events[3]["data"]["results"] == 1
    assert "Quill" not in json.dumps(events)


def test_what_was_learned_names_its_turn_and_its_successor(acme: Caller, open_socket: OpenSocket) -> None:
    said = acme.turn("I moved to Bergen last week")
    old = learn(acme, "Lives in Oslo", slot="home")
    span = {"turn_id": said["turn_id"], "start": 0, "end": 7}
    new = learn(acme, "Lives in Bergen", slot="home", supersedes_id=old["id"], sources=[span])
    seal_and_announce()
    events = open_socket(key=acme.secret).start().events(5)
    learned, superseded = events[-2], events[-1]
    assert (learned["kind"], superseded["kind"]) == ("memory.learned", "memory.superseded")
    assert superseded["object_ids"] == [new["id"], old["id"]]
    assert superseded["data"]["contradiction"] == "natural"
    fresh, gone = superseded["objects"][new["id"]], superseded["objects"][old["id"]]
    assert (fresh["text"], fresh["turn_id"], fresh["status"]) == ("Lives in Bergen", said["turn_id"], "active")
    assert (gone["text"], gone["superseded_by"], gone["status"]) == ("Lives in Oslo", new["id"], "superseded")


def test_unsealed_events_are_not_sent(acme: Caller, open_socket: OpenSocket) -> None:
    seal_and_announce()
    acme.turn("not yet sealed")
    socket = open_socket(key=acme.secret).start()
    assert numbers(socket.events(2)) == [1, 2]
    assert socket.is_silent(1.5)
    seal_and_announce()
    assert numbers(socket.events(3)) == [3]


def test_a_nudge_brings_new_events_at_once(acme: Caller, open_socket: OpenSocket, nudges: Valkey) -> None:
    note_many(acme, 1)
    socket = open_socket(key=acme.secret).start()
    socket.events(3)
    time.sleep(1.2)  # it has joined its group, and looks by itself only every five seconds now
    took = []
    for number in range(4, 9):
        start = time.monotonic()
        note_many(acme, 1)
        socket.events(number)
        took.append(time.monotonic() - start)
        time.sleep(0.3)
    assert max(took) < 0.9


def test_a_socket_resumes_after_the_number_it_names(acme: Caller, open_socket: OpenSocket) -> None:
    note_many(acme, 8)
    first = open_socket(key=acme.secret).start()
    assert numbers(first.events(10)) == list(range(1, 11))
    first.close()
    note_many(acme, GAP_MAX_EVENTS)
    resumed = open_socket(key=acme.secret).start(10)
    last = GAP_MAX_EVENTS + 10
    assert numbers(resumed.events(last)) == list(range(11, last + 1))
    assert resumed.is_silent()


def test_a_gap_too_large_is_named_and_can_be_loaded(acme: Caller, open_socket: OpenSocket) -> None:
    note_many(acme, GAP_MAX_EVENTS + 2)
    last = GAP_MAX_EVENTS + 4
    socket = open_socket(key=acme.secret).start(3)
    left_out = socket.hear()
    assert (left_out["type"], left_out["first"], left_out["last"]) == ("too_old", 4, last - NEWEST_EVENTS)
    assert numbers(socket.events(last)) == list(range(last - NEWEST_EVENTS + 1, last + 1))
    socket.say(json.dumps({"type": "load", "after": 3, "until": left_out["last"]}))
    loaded = socket.hear()
    assert (loaded["type"], loaded["after"], loaded["until"]) == ("loaded", 3, left_out["last"])
    assert numbers(loaded["events"]) == list(range(4, 4 + BATCH_EVENTS))
    socket.say(json.dumps({"type": "load", "after": 3, "until": 5}))
    assert numbers(socket.hear()["events"]) == [4, 5]


def test_a_number_that_was_never_given_begins_anew(acme: Caller, open_socket: OpenSocket) -> None:
    note_many(acme, 1)
    socket = open_socket(key=acme.secret).start(1_000_000)
    assert socket.hear()["type"] == "reset"
    assert numbers(socket.events(3)) == [1, 2, 3]


def test_without_valkey_a_socket_looks_each_second_and_hears_again_when_it_is_back(
    acme: Caller, open_socket: OpenSocket, nudges: Valkey
) -> None:
    note_many(acme, 1)
    socket = open_socket(key=acme.secret).start()
    socket.events(3)
    nudges.kill()
    for number in (4, 5):
        start = time.monotonic()
        assert note_many(acme, 1) is False
        assert numbers(socket.events(number)) == [number]
        assert time.monotonic() - start < 2.5
    during = open_socket(key=acme.secret).start()
    assert numbers(during.events(5)) == [1, 2, 3, 4, 5]
    nudges.start()
    time.sleep(2.5)
    start = time.monotonic()
    assert note_many(acme, 1) is True
    assert numbers(socket.events(6)) == [6]
    assert numbers(during.events(6)) == [6]
    assert time.monotonic() - start < 0.9


def test_a_quiet_stream_gives_signs_of_life(acme: Caller, open_socket: OpenSocket) -> None:
    note_many(acme, 1)
    socket = open_socket(key=acme.secret).start()
    socket.events(3)
    alive = socket.hear(8)
    assert (alive["type"], alive["seq"]) == ("alive", 3)


def test_a_client_that_goes_leaves_nothing_behind(acme: Caller, open_socket: OpenSocket) -> None:
    note_many(acme, 1)
    sockets = [open_socket(key=acme.secret).start() for _ in range(20)]
    for socket in sockets:
        assert numbers(socket.events(3)) == [1, 2, 3]
        socket.close()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"type":"start"}', '{"type":"start","last_seq":-1}', '{"type":"start","last_seq":true}',
     '{"type":"start","last_seq":1,"tenant":"acme"}', '{"type":"start","last_seq":9223372036854775808}',
     '{"type":"load","after":0}', '{"type":"other"}', "[" * 900, '"' + "x" * 2000 + '"'],
)  # fmt: skip
def test_what_is_not_understood_closes_the_socket(acme: Caller, open_socket: OpenSocket, text: str) -> None:
    assert open_socket(key=acme.secret).say(text).close_code() == UNREADABLE


def test_a_second_start_closes_the_socket(acme: Caller, open_socket: OpenSocket) -> None:
    note_many(acme, 1)
    socket = open_socket(key=acme.secret).start()
    socket.events(3)
    assert socket.start().close_code() == UNREADABLE


def test_a_path_that_leads_nowhere_is_refused(record: None, open_socket: OpenSocket) -> None:
    assert open_socket("/ws/other/").is_accepted is False


def test_a_key_sees_no_more_of_its_tenant_than_its_compartments(acme: Caller, open_socket: OpenSocket) -> None:
    ward = acme.holding("ward")
    open_said = acme.turn("the heron is called Quill")
    kept = ward.turn("the otter is called Bramble", compartments=["ward"])
    learned = learn(ward, "There is an otter", sources=[{"turn_id": kept["turn_id"], "start": 0, "end": 9}])
    assert learned["compartments"] == ["ward"]
    seal_and_announce()
    seen = {key: json.dumps(open_socket(key=key).start().events(6)) for key in (acme.secret, ward.secret)}
    assert open_said["memory_id"] in seen[acme.secret]
    for hidden in ("Bramble", "There is an otter", learned["id"], kept["memory_id"], kept["turn_id"]):
        assert hidden not in seen[acme.secret]
        assert hidden in seen[ward.secret]


def test_a_key_sees_only_its_kinds_and_not_its_hidden_fields(
    acme: Caller, open_socket: OpenSocket, superuser_dsn: str
) -> None:
    acme.turn("the otter is called Bramble")
    learn(acme, "Has an otter")
    seal_and_announce()
    facts = issue_key(acme.system, name="facts", kinds=["semantic"], now=timezone.now())
    with psycopg.connect(superuser_dsn, dbname=DATABASE) as superuser:
        superuser.execute("UPDATE tenants_apikey SET hidden_fields = '{author}' WHERE id = %s", [facts.key.id])
    events = open_socket(key=facts.secret).start().events(4)
    assert (events[2]["kind"], events[2]["object_ids"], events[2]["objects"]) == ("turn.recorded", [], {})
    (learned,) = events[3]["objects"].values()
    assert learned["text"] == "Has an otter"
    assert "author" not in learned


def test_what_is_erased_meanwhile_has_no_text(acme: Caller, open_socket: OpenSocket, superuser_dsn: str) -> None:
    said = acme.turn("the otter is called Bramble")
    seal_and_announce()
    with psycopg.connect(superuser_dsn, dbname=DATABASE) as superuser:
        superuser.execute("UPDATE tenants_subject SET erased_at = now()")
    recorded = open_socket(key=acme.secret).start().events(3)[2]
    assert recorded["object_ids"] == [said["turn_id"], said["memory_id"]]
    assert recorded["objects"] == {}


def test_members_are_told_who_of_them_acted_and_keys_are_not(
    acme: Caller, globex: Caller, open_socket: OpenSocket, hire: Hire
) -> None:
    vera, stranger = hire("vera", Role.VIEWER, acme), hire("stan", Role.OWNER, globex)
    for staff in (vera, stranger):
        scope = staff_scope(acme.key.tenant_id, staff.id, role=Role.VIEWER, request_id="")
        with open_scope(scope):
            note_event(scope, "tenant.entered", object_ids=[acme.key.tenant_id], now=timezone.now())
    seal_and_announce()
    seen = open_socket("/ws/events/?tenant=acme", staff=vera).start().events(4)
    assert [event.get("staff") for event in seen[2:]] == ["vera", None]
    assert [event["data"]["staff_id"] for event in seen[2:]] == [vera.id, stranger.id]
    assert "vera" not in str(open_socket(key=acme.secret).start().events(4))
