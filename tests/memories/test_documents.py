"""The searched document is never empty, and its mapping is strict."""

from collections.abc import Callable
from typing import Any

from backends.search import names
from memories.documents.registry import body_of, definition
from memories.documents.searched import DIMENSIONS
from memories.services.engine import embedder
from memories.services.searched import SEARCHED, with_vectors
from tenants.services.open_scope import open_scope
from tests.conftest import Caller


def prepared(caller: Caller, text: str) -> dict[str, Any]:
    with open_scope(caller.scope):
        memory = with_vectors(SEARCHED[names.EPISODIC], model=embedder().model).get(text=text)
        return dict(body_of(memory))


def test_every_field_of_the_mapping_is_filled(acme: Caller, drain: Callable[[], None]) -> None:
    acme.turn("the otter is called Bramble", speaker="Mei", agent_id="a", occurred_at="2026-03-01T13:56:00Z")
    drain()
    body = prepared(acme, "the otter is called Bramble")
    mapped = set(definition(names.EPISODIC).mapping["properties"])
    by_the_writer = {"turn_length", "window_length"}
    empty = {"valid_to", "closed_at", "ended_at", "expires_at", "valid_to_us", "expires_us", "passages"}
    assert body.keys() == mapped - by_the_writer - empty
    assert body["facets"][:4] == ["memory_type=x", "memory_type=s:episodic", "session_id=x", "session_id=s:s1"]
    assert body["recorded_us"] > body["valid_from_us"] == 1_772_373_360_000_000
    assert body["turn"] == "[1:56 pm on 1 March, 2026] Mei: the otter is called Bramble"
    assert body["window"] == body["turn"]
    assert body["compartments"] == ["none"]
    assert len(body["embedding"]) == DIMENSIONS == embedder().dimensions


def test_chinese_gets_its_date_in_chinese_and_shared_turns_the_reserved_subject(acme: Caller) -> None:
    acme.client.post("/api/v1/turns/", {"session_id": "s", "content": "我喜欢绿色",
                                        "occurred_at": "2026-03-01T13:56:00Z"}, format="json")  # fmt: skip
    body = prepared(acme, "我喜欢绿色")
    assert body["turn"] == "[2026年3月1日 13:56] user: 我喜欢绿色"
    assert body["subject_id"] == "none"


def test_the_mapping_is_strict_and_routed() -> None:
    mapping = definition(names.EPISODIC).mapping
    assert mapping["dynamic"] == "strict"
    assert mapping["_routing"] == {"required": True}
    assert mapping["properties"]["tenant_id"] == {"type": "keyword"}
    assert mapping["properties"]["embedding"]["dims"] == DIMENSIONS
