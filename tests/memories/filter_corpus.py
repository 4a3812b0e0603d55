"""Memories of varied facts, in the record."""

import hashlib
from typing import Any
from uuid import UUID

from backends.search import names
from backends.search.facets import Facts
from memories.documents.facts import facts
from memories.models import Entity, Memory, Session, Source, Turn
from memories.services.engine import embedder
from memories.services.searched import SEARCHED, with_vectors
from tenants.services.open_scope import open_scope
from tests.backends.filter_cases import IDS, MOMENT, some_facts
from tests.conftest import Caller

ROWS = 60


def stored(caller: Caller) -> dict[UUID, Facts]:
    """Write memories, all believed, and return what each has, as the engine is told it."""
    tenant = {"tenant_id": caller.key.tenant_id}
    with open_scope(caller.scope):
        Entity.objects.bulk_create(
            Entity(**tenant, id=UUID(entity_id), entity_type="thing", name=entity_id, recorded_at=MOMENT)
            for entity_id in IDS
        )
        taken: set[tuple[Any, Any]] = set()
        for number, wanted in enumerate(some_facts(ROWS)):
            memory = _memory(caller, wanted, number)
            place = (memory.entity_id, memory.slot)
            if place in taken and memory.valid_to is None:
                memory.slot = None  # one value at a time
            taken.add(place)
            memory.save(force_insert=True)
            _add_sources(memory, wanted)
        rows = with_vectors(SEARCHED[names.SEMANTIC], model=embedder().model)
        return {row.id: facts(row) for row in rows}


def _memory(caller: Caller, wanted: Facts, number: int) -> Memory:
    tenant, text = {"tenant_id": caller.key.tenant_id}, f"badger {number}"
    session_id, episodic = wanted.get("session_id"), wanted["memory_type"] == names.EPISODIC
    session = turn = None
    digest = hashlib.sha256(text.encode()).digest()
    if session_id is not None or episodic:
        session, _ = Session.objects.get_or_create(
            **tenant, subject=None, external_id=session_id or "s1", defaults={"created_at": MOMENT}
        )
    if session is not None and episodic:
        turn = Turn.objects.create(
            **tenant, session=session, position=number, role="user", content=text, content_hash=digest,
            occurred_at=MOMENT, recorded_at=MOMENT,
        )  # fmt: skip
    plain = ("memory_type", "trust", "agent_id", "slot", "tags", "metadata", "importance", "confidence", "valid_from",
             "valid_to", "recorded_at", "expires_at")  # fmt: skip
    return Memory(
        **tenant,
        **{name: wanted.get(name) for name in plain},
        **{name: wanted.get(name, "") for name in ("category", "predicate", "author")},
        session=session,
        turn=turn,
        entity_id=wanted.get("entity_id"),
        text=text,
        content_hash=digest,
        accepted_at=MOMENT,
    )


def _add_sources(memory: Memory, wanted: Facts) -> None:
    types, relations, methods = (wanted[f"provenance.{name}"] for name in ("source_type", "relation", "method"))
    Source.objects.bulk_create(
        Source(
            tenant_id=memory.tenant_id,
            memory=memory,
            source_type=types[index % len(types)] if types else "api",
            relation=relations[index % len(relations)] if relations else "derived",
            method=methods[index % len(methods)] if methods else "direct",
            recorded_at=MOMENT,
        )
        for index in range(max(len(types), len(relations), len(methods)))
    )
