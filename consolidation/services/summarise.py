"""Summarise: episodes of an old conversation become one memory that rests on each, and are archived in its favour."""

from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction

from backends.llms.base import LLM
from backends.search import names
from consolidation.rules.summary import Line, Summary, extractive
from consolidation.services.ask_summary import ask_summary
from consolidation.services.old_episodes import Conversation, Said, old_conversations, said, said_in
from consolidation.services.scopes import sleeping_scope
from memories.models import Memory, Source
from memories.models.memory import MEMORY_TEXT_MAX_LENGTH, Status
from memories.models.source import SourceRelation
from memories.services.archive import archive
from memories.services.learn import learn
from memories.services.new_memory import NewMemory, Span
from memories.services.retract import retract
from tenants.models import Subject
from tenants.scope import Scope
from tenants.services.create_tenant import system_scope
from tenants.services.note_event import EventData, note_event
from tenants.services.open_scope import open_scope, open_unseen
from tenants.services.policy_of import policy_of

CATEGORY = "summary"
PREDICATE = "summarises"
"""So that no statement is held against a summary: it belongs to no kind of statement."""
CONFIDENCE = 0.95
REASON = "summarised"


def summarise_old(
    tenant_id: UUID,
    subject_id: UUID | None,
    *,
    clock: Callable[[], datetime],
    llm: LLM | None = None,
    without: set[UUID],
) -> int:
    """Summarise the next old conversations of a tenant, or of one of its users; return how many episodes went in.

    A transaction a conversation; the model is asked in none. without: sessions that are passed over; those of which
    nothing can be told are added to it.
    """
    scope = system_scope(tenant_id)
    with open_unseen(scope):
        conversations = old_conversations(tenant_id, subject_id, policy_of(), without=without, now=clock())
    episodes = 0
    for one in conversations:
        told = _summarised(scope, one, llm, now=clock())
        episodes += told
        if not told:
            without.add(one.session_id)
    return episodes


def _summarised(tenant: Scope, conversation: Conversation, llm: LLM | None, *, now: datetime) -> int:
    scope = sleeping_scope(tenant.tenant_id, conversation.subject_id, conversation.compartments)
    with open_scope(scope):
        episodes = said_in(conversation.memory_ids)
    lines = [_line(episode) for episode in episodes]
    summary = extractive(lines)
    if summary is None:
        return 0  # nothing but questions and greetings: they fade by themselves
    turn_ids = [episode.turn_id for episode in episodes]
    summary = ask_summary(scope, lines, turn_ids, summary, llm, now=now) or summary
    with open_scope(scope), transaction.atomic():
        ids = archive(scope, [episode.memory_id for episode in episodes], reason=REASON, now=now)
        if len(ids) != len(episodes):
            transaction.set_rollback(True)  # one was retracted, or is on hold, since it was read
            return 0
        memory = _learned(scope, summary, episodes, now=now)
        subject = Subject.objects.get(id=conversation.subject_id)
        data: EventData = {"episodes": len(ids), "method": summary.method}
        note_event(scope, "summary.made", object_ids=[memory.id, *ids], subject=subject, data=data, now=now)
    return len(ids)


def rebuild_summary(scope: Scope, memory: Memory, *, now: datetime) -> Memory | None:
    """Put a summary together anew from the turns that still stand, and return it; None: nothing is left to tell.

    For what lost evidence. The old one is retracted, for it may tell what is gone; nothing brings it back, since it
    had contradicted nothing. The scope is open, and is the memory's own user's.
    """
    episodes = _standing(memory)
    summary = extractive([_line(episode) for episode in episodes]) if len(episodes) > 1 else None
    retract(scope, memory.id, now=now)
    if summary is None:
        return None
    return _learned(scope, summary, episodes, now=now)


def _standing(memory: Memory) -> list[Said]:
    """Return the turns that a summary rests on, without those whose episode was retracted."""
    edges = Source.objects.filter(memory_id=memory.id, relation=SourceRelation.SUMMARISES, voided_at__isnull=True)
    turns = edges.values("turn_id")
    rows = Memory.objects.filter(turn_id__in=turns, memory_type=names.EPISODIC).select_related("turn")
    newest = {row.turn_id: row for row in rows.order_by("recorded_at", "id")}  # a restored copy stands for its turn
    standing = [said(row) for row in newest.values() if row.status in (Status.ACTIVE, Status.ARCHIVED)]
    return sorted(standing, key=lambda one: (one.occurred_at, one.memory_id))


def _learned(scope: Scope, summary: Summary, episodes: Sequence[Said], *, now: datetime) -> Memory:
    agents = {episode.agent_id for episode in episodes}
    new = NewMemory(
        text=summary.text[:MEMORY_TEXT_MAX_LENGTH],
        memory_type=names.SEMANTIC,
        agent_id=agents.pop() if len(agents) == 1 else None,
        category=CATEGORY,
        predicate=PREDICATE,
        importance=max(episode.importance for episode in episodes),
        confidence=CONFIDENCE,
        valid_from=min(episode.occurred_at for episode in episodes),
        spans=tuple(Span(turn_id=episodes[at].turn_id, start=start, end=end) for at, start, end in summary.spans),
        relation=SourceRelation.SUMMARISES,
        method=summary.method,
    )
    return learn(scope, new, now=now).memory


def _line(episode: Said) -> Line:
    return Line(author=episode.author, content=episode.content, occurred_at=episode.occurred_at)
