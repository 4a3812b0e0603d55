"""The first short scope of recall: whose memories, who speaks in them, and what the engine cannot show yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef
from pgvector.django import CosineDistance

from memories.fusion import ASSISTANT, GENERAL, Weights
from memories.models import Memory, MemoryVector, OutboxEntry, Session
from memories.questions import asked_about
from memories.services.question import Question
from memories.services.read_back import restricted
from tenants.models import Subject
from tenants.scope import Scope
from tenants.services.find_subject import find_subject
from tenants.services.open_scope import open_scope

SESSIONS_WITH_SPEAKERS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Fresh:
    """A memory that the engine cannot show yet, and its cosine to the question (None without a vector)."""

    memory: Memory
    dense: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What recall knows before it asks the engine.

    scope: narrowed to the subject asked for. session_ids: the sessions of the filter; None = no filter.
    author: the participant asked about. searchable: False when the tenant has no such user.
    """

    scope: Scope
    subject: Subject | None
    searchable: bool
    session_ids: tuple[UUID, ...] | None
    author: str | None
    weights: Weights
    overlay: tuple[Fresh, ...]


def prepare_recall(scope: Scope, question: Question, vector: Sequence[float] | None, *, model: str) -> Prepared:
    """Read what the question needs from the record, in one short scope.

    Raises ScopeDenied, when the key belongs to another user than the one named.
    """
    with open_scope(scope):
        try:
            subject = find_subject(scope, question.user_id)
        except Subject.DoesNotExist:
            return _nobody(scope)
        narrowed = scope.narrowed_to(subject.id) if subject else scope
        with open_scope(narrowed):
            sessions = _sessions(question)
            speakers = _speakers()
            fresh = _overlay(question, sessions, vector, model=model) if question.overlay else ()
    return Prepared(
        scope=narrowed,
        subject=subject,
        searchable=True,
        session_ids=sessions,
        author=asked_about(question.query, speakers),
        weights=GENERAL if len(speakers) > 1 else ASSISTANT,
        overlay=fresh,
    )


def _nobody(scope: Scope) -> Prepared:
    return Prepared(
        scope=scope,
        subject=None,
        searchable=False,
        session_ids=None,
        author=None,
        weights=GENERAL,
        overlay=(),
    )


def _sessions(question: Question) -> tuple[UUID, ...] | None:
    """Return our ids of the session the question is limited to (several users may have one of that name)."""
    if question.session_id is None:
        return None
    return tuple(Session.objects.filter(external_id=question.session_id).values_list("id", flat=True))


def _speakers() -> set[str]:
    """Return the authors of the newest sessions' memories."""
    newest = Session.objects.order_by("-created_at").values_list("speakers", flat=True)
    return {speaker for speakers in newest[:SESSIONS_WITH_SPEAKERS] for speaker in speakers}


def _overlay(
    question: Question, sessions: tuple[UUID, ...] | None, vector: Sequence[float] | None, *, model: str
) -> tuple[Fresh, ...]:
    """Return the newest memories whose outbox entry still stands: pending, or applied a moment ago."""
    waiting = OutboxEntry.objects.filter(object_id=OuterRef("id"), kind=OuterRef("memory_type"))
    memories = restricted(question, sessions).filter(Exists(waiting))
    newest = list(memories.order_by("-recorded_at", "-id")[: settings.OVERLAY_MAX_MEMORIES])
    cosines: dict[UUID, float] = {}
    if vector is not None and newest:
        vectors = MemoryVector.objects.filter(memory_id__in=[memory.id for memory in newest], model=model)
        measured = vectors.annotate(distance=CosineDistance("vector", list(vector)))
        cosines = {memory: 1 - distance for memory, distance in measured.values_list("memory_id", "distance")}
    return tuple(Fresh(memory=memory, dense=cosines.get(memory.id)) for memory in newest)
