"""The main path: a turn comes in over HTTP, sync brings it to the engine, a question gets it with its source."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from pytest_django import Settings

from memories.models import Memory, MemoryVector, OutboxEntry, Turn
from memories.services.embed import embed
from memories.services.engine import embedder, search_engine
from memories.services.sync import sync
from tenants.models import EngineCredential, Event
from tenants.services.engine_credential import reach_of
from tenants.services.open_scope import open_operator, open_scope
from tests.conftest import Caller, login

pytestmark = pytest.mark.usefixtures("each_engine")

Drain = Callable[[], None]


def test_a_turn_is_recalled_with_its_source(acme: Caller, drain: Drain) -> None:
    acme.turn("Morning! The hub shows E-4012 again", session_id="s1", agent_id="support")
    said = acme.turn("I moved from Bristol to Edinburgh", session_id="s2", occurred_at="2026-03-01T09:30:00+01:00",
                     metadata={"channel": "phone"}, speaker="Mei")  # fmt: skip
    drain()
    assert acme.client.get("/api/v1/sync/").json() == {"pending": 0, "oldest_s": None, "dead_letters": 0}
    best = acme.recall("Where did Mei move to?", overlay=False)["results"][0]
    assert best["memory_id"] == said["memory_id"]
    assert best["text"] == "I moved from Bristol to Edinburgh"
    assert best["occurred_at"] == "2026-03-01T08:30:00Z"
    assert best["user_id"] == "u1"
    assert best["source"] == {
        "turn_id": said["turn_id"], "session_id": "s2", "position": 0, "role": "user", "speaker": "Mei",
        "agent_id": None, "metadata": {"channel": "phone"},
    }  # fmt: skip
    assert 0 < best["score"] < 1


def test_a_turn_is_recallable_before_sync_has_run(acme: Caller) -> None:
    said = acme.turn("my locker code word is zebrafinch")
    found = acme.recall("zebrafinch")["results"]
    assert found[0]["memory_id"] == said["memory_id"]
    assert acme.recall("zebrafinch", overlay=False)["results"] == []


def test_chinese_is_recalled(acme: Caller, drain: Drain) -> None:
    acme.turn("我最喜欢的颜色是绿色", session_id="zh")
    acme.turn("快递用顺丰寄到杭州", session_id="zh")
    acme.turn("the weather is fine today", session_id="en")
    drain()
    assert acme.recall("她喜欢什么颜色?", overlay=False)["results"][0]["text"] == "我最喜欢的颜色是绿色"
    assert acme.recall("顺丰", overlay=False)["results"][0]["text"] == "快递用顺丰寄到杭州"


def test_assistant_and_tool_turns_are_archived_but_are_no_memories(acme: Caller, drain: Drain) -> None:
    acme.turn("the printer jams", session_id="s")
    answer = acme.turn("Please reseat tray quokka", session_id="s", role="assistant")
    acme.turn("status: ok", session_id="s", role="tool")
    acme.turn("that worked", session_id="s")
    drain()
    assert answer["memory_id"] is None
    found = acme.recall("quokka", overlay=False)["results"]
    assert {hit["source"]["role"] for hit in found} == {"user"}
    with open_scope(acme.scope):
        assert list(Turn.objects.order_by("position").values_list("role", flat=True)) == [
            "user", "assistant", "tool", "user",
        ]  # fmt: skip
        jam = Memory.objects.get(text="the printer jams")
        assert jam.context == "user: the printer jams\nassistant: Please reseat tray quokka"
        worked = Memory.objects.get(text="that worked")
        assert worked.context == "assistant: Please reseat tray quokka\ntool: status: ok\nuser: that worked"


def test_the_context_of_a_neighbour_reaches_the_engine(acme: Caller, drain: Drain) -> None:
    first = acme.turn("yes, the second one", session_id="s")
    drain()
    acme.turn("I mean the capybara poster", session_id="s")
    drain()
    ids = [hit["memory_id"] for hit in acme.recall("capybara", overlay=False)["results"]]
    assert first["memory_id"] in ids[:2]


def test_two_tenants_with_the_same_ids_see_their_own_only(acme: Caller, globex: Caller, drain: Drain) -> None:
    acme.turn("the otter is called Bramble")
    globex.turn("the otter is called Quill")
    for run in (nothing, drain):
        run()
        assert [hit["text"] for hit in acme.recall("otter called")["results"]] == ["the otter is called Bramble"]
        assert [hit["text"] for hit in globex.recall("otter called")["results"]] == ["the otter is called Quill"]


def test_users_of_a_tenant_see_their_own_and_the_shared(acme: Caller, drain: Drain) -> None:
    acme.turn("the otter is called Bramble", user_id="u1")
    acme.turn("the otter is called Quill", user_id="u2")
    shared = acme.client.post("/api/v1/turns/", {"session_id": "s1", "content": "otters eat fish"}, format="json")
    assert shared.json()["user_id"] is None
    for run in (nothing, drain):
        run()
        own = {hit["text"] for hit in acme.recall("otter", user_id="u1")["results"]}
        assert own == {"the otter is called Bramble", "otters eat fish"}
        everything = acme.client.post("/api/v1/recall/", {"query": "otter"}, format="json").json()["results"]
        assert len(everything) == 3


def test_filters_on_session_and_agent(acme: Caller, drain: Drain) -> None:
    acme.turn("tea in the morning", session_id="s1", agent_id="a1")
    acme.turn("tea at noon", session_id="s2", agent_id="a1")
    acme.turn("tea at night", session_id="s2", agent_id="a2")
    for run in (nothing, drain):
        run()
        assert texts(acme.recall("tea", filters={"session_id": "s2"})) == {"tea at noon", "tea at night"}
        assert texts(acme.recall("tea", filters={"agent_id": "a1"})) == {"tea in the morning", "tea at noon"}
        assert texts(acme.recall("tea", filters={"thread_id": "s2", "agent_id": "a2"})) == {"tea at night"}
        empty = acme.recall("tea", filters={"session_id": "nowhere"})
        assert (empty["results"], empty["reason"]) == ([], "filtered")


def test_valid_at_hides_what_was_said_later(acme: Caller, drain: Drain) -> None:
    acme.turn("I live in Bristol", occurred_at="2025-01-05T10:00:00Z")
    acme.turn("I live in Edinburgh", occurred_at="2026-01-05T10:00:00Z")
    for run in (nothing, drain):
        run()
        assert texts(acme.recall("where do I live", valid_at="2025-06-01T00:00:00Z")) == {"I live in Bristol"}
        assert len(acme.recall("where do I live")["results"]) == 2
        assert acme.recall("where do I live", valid_at="2024-01-01T00:00:00Z")["reason"] == "filtered"


def test_an_empty_answer_says_why(acme: Caller, globex: Caller) -> None:
    globex.turn("the otter is called Quill")
    for user in ("u1", "somebody new"):
        answer = acme.recall("otter", user_id=user)
        assert (answer["results"], answer["reason"], answer["degraded"]) == ([], "nothing_stored", [])


def test_explain_names_legs_weights_and_profile(acme: Caller, drain: Drain) -> None:
    acme.turn("I paint on Sundays", speaker="Mei", session_id="s")
    acme.turn("I fish on Mondays", speaker="Tom", session_id="s")
    drain()
    answer = acme.recall("What does Mei do on Sundays?", explain=True)
    assert answer["explain"]["weights"]["profile"] == "general"
    best = answer["results"][0]
    assert best["source"]["speaker"] == "Mei"
    assert best["explain"]["parts"]["own"] > 0
    assert best["explain"]["legs"]["lexical"]["rank"] == 1
    assert best["explain"]["legs"]["dense"]["rank"] in (1, 2)
    assert "explain" not in acme.recall("Sundays")["results"][0]


def test_who_writes_what_is_shared_takes_no_part_in_a_users_talk(acme: Caller, drain: Drain) -> None:
    acme.turn("I paint on Sundays", session_id="s")
    for number, speaker in enumerate(("Facilities", "Human Resources")):
        notice = {"session_id": "notices", "content": f"The canteen is closed on Sunday {number}", "speaker": speaker}
        assert acme.client.post("/api/v1/turns/", notice, format="json").status_code == 201
    drain()
    answer = acme.recall("What do I do on Sundays?", explain=True)
    assert answer["explain"]["weights"]["profile"] == "assistant"
    assert len(answer["results"]) == 3
    shared = acme.recall("What does Facilities say of Sundays?", user_id="u2", explain=True)
    assert shared["explain"]["weights"]["profile"] == "general"
    acme.turn("I fish on Mondays", speaker="Tom", session_id="s")
    assert acme.recall("Sundays", explain=True)["explain"]["weights"]["profile"] == "general"


def test_top_k_and_its_alias(acme: Caller) -> None:
    for number in range(12):
        acme.turn(f"note {number} about tea")
    assert len(acme.recall("tea")["results"]) == 10
    assert len(acme.recall("tea", top_k=3)["results"]) == 3
    assert len(acme.recall("tea", limit=5)["results"]) == 5


def test_what_the_record_lost_is_not_returned_by_a_stale_engine(acme: Caller, drain: Drain) -> None:
    acme.turn("the otter is called Bramble")
    drain()
    with login("mneme_owner"):
        Memory.objects.all().delete()
    answer = acme.recall("otter")
    assert (answer["results"], answer["reason"]) == ([], "nothing_stored")
    drain()
    with login("mneme_worker"):
        assert search_engine().count(reach_of(acme.scope)) == 0


def test_every_verb_leaves_an_event_without_personal_text(acme: Caller) -> None:
    said = acme.turn("the otter is called Bramble")
    answer = acme.recall("otter Bramble")
    with open_scope(acme.scope):
        events = list(Event.objects.order_by("id"))
    assert [event.kind for event in events] == [
        "tenant.created", "key.issued", "turn.recorded", "recall.answered",
    ]  # fmt: skip
    assert str(events[-1].id) == answer["recall_id"]
    assert {str(x) for x in events[2].object_ids} == {said["turn_id"], said["memory_id"]}
    assert events[2].subject_pseudonym == events[3].subject_pseudonym
    assert "Bramble" not in str([event.data for event in events])


def test_short_turns_carry_their_vector_at_once_where_that_is_wanted(
    acme: Caller, drain: Drain, settings: Settings
) -> None:
    settings.EMBED_IN_REQUEST_MAX_CHARS = 400
    short = acme.turn("the otter is called Bramble")
    long = acme.turn("the otter " * 100)
    with open_scope(acme.scope):
        assert [str(v.memory_id) for v in MemoryVector.objects.all()] == [short["memory_id"]]
    drain()
    with open_scope(acme.scope):
        assert {str(v.memory_id) for v in MemoryVector.objects.all()} == {short["memory_id"], long["memory_id"]}
        assert not OutboxEntry.objects.exists()


def test_sync_embeds_after_it_applied_so_that_text_is_found_first(acme: Caller) -> None:
    acme.turn("platypus " * 100)
    with login("mneme_worker"):
        first = sync(search_engine(), model=embedder().model, now=timezone.now())
        assert (first.claimed, first.applied) == (1, 1)
        assert not sync(search_engine(), model=embedder().model, now=timezone.now()).claimed
        search_engine().refresh()
    assert len(acme.recall("platypus", overlay=False)["results"]) == 1
    with login("mneme_worker"):
        with open_operator():
            entry = OutboxEntry.objects.get()
        assert (entry.applied_at, entry.awaiting_vector) == (None, True)
        assert embed(embedder(), now=timezone.now()).embedded == 1
        with open_operator():
            assert not OutboxEntry.objects.get().awaiting_vector
        assert sync(search_engine(), model=embedder().model, now=timezone.now()).applied == 1


def nothing() -> None:
    """Leave everything as it is: the overlay answers alone."""


def texts(answer: dict[str, list[dict[str, str]]]) -> set[str]:
    """Return the texts of an answer."""
    return {hit["text"] for hit in answer["results"]}


@pytest.mark.parametrize("overlay", [True, False])
def test_recall_with_a_revoked_engine_credential_mints_a_new_one(
    acme: Caller, drain: Drain, *, overlay: bool
) -> None:
    acme.turn("the otter is called Bramble")
    drain()
    assert acme.recall("otter", overlay=overlay)["results"]
    with open_scope(acme.scope):
        held = list(EngineCredential.objects.values_list("engine_id", flat=True))
    search_engine().revoke(held)
    assert acme.recall("otter", overlay=overlay)["results"]
