"""The isolation run on conversations of our own, against a running server: it finds nothing, and would find it."""

from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pytest

from benchmarks.place import Place
from benchmarks.recall_quality.conversations import Conversation
from benchmarks.recall_quality.isolation import NEIGHBOUR, TENANT, isolate, isolation_line
from benchmarks.recall_quality.locomo import load_locomo
from tests.benchmarks.recall_quality.made_up import write_sample


class TenantMaker(Protocol):
    def create_tenant(self, slug: str) -> str: ...


class LiveStack(Protocol):
    """A running server that other files of tests may have told things to."""

    stack: TenantMaker
    url: str


def two(tmp_path: Path, *names: str) -> list[Conversation]:
    """Return the same conversation twice, told by users of these names."""
    conversation = load_locomo(write_sample(tmp_path)).conversations[0]
    return [replace(conversation, id=f"{name} {place}", user_id=name) for place, name in enumerate(names)]


@pytest.fixture(scope="module")
def place(live_stack: LiveStack) -> Place:
    """Two tenants of this file alone: what is shared within a tenant is found by each of its users."""
    return Place(
        url=live_stack.url, keys={slug: live_stack.stack.create_tenant(slug) for slug in (TENANT, NEIGHBOUR)}
    )


def test_nobody_finds_what_another_said(place: Place, tmp_path: Path) -> None:
    found = isolate(place, two(tmp_path, "ines", "paul"))
    assert found.foreign == ()
    assert (found.asked, found.own, found.own_asked, found.degraded) == (12, 6, 6, 0)
    assert isolation_line(found) == "isolation asked=12 with_hits=12 foreign=0 own_found=6/6 degraded=0"


def test_what_another_conversation_said_is_noticed(place: Place, tmp_path: Path) -> None:
    found = isolate(place, two(tmp_path, "otto", "otto"))
    assert found.foreign
    assert all("as acme otto" in hit for hit in found.foreign)
