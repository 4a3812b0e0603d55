"""A write that is late by more than the engine remembers removals brings nothing back: the record is read first."""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from django.conf import settings
from django.utils import timezone
from elasticsearch import Elasticsearch

from backends.search import names
from memories.models import Memory, OutboxEntry
from memories.services.embed import embed
from memories.services.engine import embedder, search_engine
from memories.services.searched import rows_with_vectors
from memories.services.sync import change_to, sync
from tenants.services.open_scope import open_operator
from tests.conftest import Caller, login
from tests.memories.indexes import fresh_indexes

__all__ = ["fresh_indexes"]
pytestmark = pytest.mark.usefixtures("fresh_indexes")


def forget_removals() -> None:
    """Make the engine forget the versions of removed documents, as it does after gc_deletes."""
    if settings.SEARCH_URL.startswith("http"):
        client = Elasticsearch(settings.SEARCH_URL)
        client.indices.put_settings(index="mneme-episodic", settings={"gc_deletes": "1s"})
        time.sleep(2)
        client.indices.flush(index="mneme-episodic", force=True)
        client.indices.refresh(index="mneme-episodic")


def test_an_index_replayed_after_its_delete_and_after_gc_deletes_brings_nothing_back(
    acme: Caller, drain: Callable[[], None], each_engine: str
) -> None:
    memory_id = UUID(acme.turn("the otter is called Bramble")["memory_id"])
    with login("mneme_worker"):
        with open_operator():
            old = OutboxEntry.objects.get()
            rows = rows_with_vectors([(names.EPISODIC, memory_id)], model=embedder().model)
        late = change_to(old, rows[names.EPISODIC, memory_id])
    drain()
    with login("mneme_owner"):
        Memory.objects.filter(id=memory_id).delete()
    drain()
    forget_removals()
    # The entry as it was, as a backup of the outbox or a hand would bring it back.
    with login("mneme_owner"):
        old.id, old.claimed_until, old.due_at = UUID(int=old.id.int + 1), None, timezone.now() - timedelta(days=1)
        old.save(force_insert=True)
    with login("mneme_worker"):
        engine = search_engine()
        assert sync(engine, model=embedder().model, now=timezone.now()).applied == 1
        assert embed(embedder(), now=timezone.now()).claimed == 0
        engine.refresh()
        assert engine.versions(acme.key.tenant_id, names.EPISODIC, [memory_id]) == {}
        if each_engine == "elasticsearch":
            # The engine alone would have taken it: what protects is that sync reads the row before it writes.
            forget_removals()
            assert [outcome.state.value for outcome in engine.apply([late])] == ["applied"]
            assert engine.apply([replace(late, version=late.version + 1, body=None)])
    assert acme.recall("otter", overlay=False)["results"] == []
