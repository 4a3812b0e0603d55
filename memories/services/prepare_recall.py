"""The first short scope of recall: whose memories, who speaks in them, and what the engine cannot show yet."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, Func, IntegerField, OuterRef
from pgvector.django import CosineDistance

from backends.search import names
from backends.search.reach import Credential
from memories.documents.searched_text import is_long
from memories.models import OutboxEntry
from memories.periods import Period
from memories.questions import asked_about
from memories.services.best_passages import passage_cosines
from memories.services.fetched import fetched
from memories.services.filtering import require_filterable
from memories.services.graph_leg import graph_leg
from memories.services.kept_answers import latest_version
from memories.services.question import Question
from memories.services.restricted import kinds_asked, restricted
from memories.services.searched import SEARCHED
from memories.time_phrases import period_of
from memories.weights import Weights, weights_of
from tenants.models import Subject
from tenants.policy import Policy
from tenants.scope import Scope
from tenants.services.engine_credential import held_credential
from tenants.services.find_subject import find_subject
from tenants.services.open_scope import narrow_scope, open_scope
from tenants.services.policy_of import policy_of

SESSIONS_WITH_SPEAKERS = 1_000
CHUNK = 25
"""Rows fetched at a time, so that a limit of characters is met early."""
NOBODY = UUID(int=0)
"""Stands for a user that the tenant does not know yet: such a one sees what is shared, and nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fresh:
    """A row that the engine cannot show yet, and its cosine to the question (None without a vector)."""

    row: Any
    dense: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What recall knows before it asks the engine.

    scope: narrowed to the subject asked for. by_user: whether a user's own key asks.
    credential_scope: whose engine credential is used; credential: that, where there is one.
    kinds: what is looked at. judged_at: the instant of expiry and age. period: that the question names, as seen then.
    author: the participant asked about. overlay_is_whole: False when more waits for the engine than was looked at.
    graph: how near rows are to the entities that the question names. version: the latest of what the
    scope can see. candidates: how many each leg proposes.
    """

    scope: Scope
    by_user: bool
    credential_scope: Scope
    credential: Credential | None
    subject: Subject | None
    kinds: tuple[str, ...]
    judged_at: datetime
    period: Period | None
    author: str | None
    policy: Policy
    weights: Weights
    graph: Mapping[UUID, float]
    version: int
    overlay: tuple[Fresh, ...]
    overlay_is_whole: bool

    @property
    def candidates(self) -> int:
        """Return how many candidates each leg proposes."""
        return int(self.policy.number("recall.candidates"))


def prepare_recall(scope: Scope, question: Question, *, engine: str, now: datetime) -> Prepared:
    """Read what the question needs from the record, in one short scope. engine: by name.

    Raises ScopeDenied, when the key belongs to another user than the one named, or may not read a kind asked for;
    FieldDenied, when it may not filter by a field.
    """
    require_filterable(scope, question.filters)
    kinds = kinds_asked(scope, question)
    judged_at = question.judged_at(now)
    with open_scope(scope):
        try:
            subject = find_subject(scope, question.user_id)
            narrowed = scope.narrowed_to(subject.id) if subject else scope
        except Subject.DoesNotExist:
            subject, narrowed = None, scope.narrowed_to(NOBODY)
        credential_scope = scope if narrowed.subject_id == NOBODY else narrowed
        credential = held_credential(credential_scope, engine, now=now)
        if narrowed.subject_id != scope.subject_id:
            narrow_scope(narrowed)
        speakers, talk = _speakers(narrowed)
        newest, whole = waiting_rows(narrowed, question, kinds, now=now) if question.overlay and kinds else ([], True)
        policy = policy_of()
        version = latest_version(narrowed)
        graph = graph_leg(narrowed, question, kinds, now=now) if kinds else {}
    return Prepared(
        scope=narrowed,
        by_user=scope.subject_id is not None,
        credential_scope=credential_scope,
        credential=credential,
        subject=subject,
        kinds=kinds,
        judged_at=judged_at,
        period=period_of(question.query, judged_at),
        author=asked_about(question.query, speakers),
        policy=policy,
        weights=weights_of(policy, speakers=talk, query=question.query),
        graph=graph,
        version=version,
        overlay=tuple(Fresh(row=row, dense=None) for row in newest),
        overlay_is_whole=whole,
    )


def measure_overlay(prepared: Prepared, vector: Sequence[float] | None, *, model: str) -> Prepared:
    """Return the same with the cosines of those rows of the overlay that have their vector."""
    if vector is None or not prepared.overlay:
        return prepared
    with open_scope(prepared.scope):
        cosines = _cosines([fresh.row for fresh in prepared.overlay], vector, model=model)
    measured = tuple(replace(fresh, dense=cosines.get(fresh.row.id)) for fresh in prepared.overlay)
    return replace(prepared, overlay=measured)


_SPEAKERS = "SELECT subject_id, speakers FROM memories_session ORDER BY created_at DESC LIMIT %s"


def _speakers(scope: Scope) -> tuple[set[str], set[str]]:
    """Return the authors of the newest sessions' memories, and those of the talk that is searched.

    Of one user it is his or her own: who writes what is shared takes no part in it.
    """
    newest = fetched(_SPEAKERS, [SESSIONS_WITH_SPEAKERS])
    everybody = {speaker for _, speakers in newest for speaker in speakers}
    own = {speaker for subject_id, speakers in newest if subject_id is not None for speaker in speakers}
    return everybody, own if own and scope.subject_id is not None else everybody


def waiting_rows(scope: Scope, question: Question, kinds: Sequence[str], *, now: datetime) -> tuple[list[Any], bool]:
    """Return the newest rows whose outbox entry still stands (pending, or applied a moment ago), and if that is all.

    At most OVERLAY_MAX_MEMORIES rows and OVERLAY_MAX_CHARACTERS of text: each is analysed anew for every question.
    """
    # What the embedder refused is given up, but the engine has its words; what the engine refused is found here only.
    missing = OutboxEntry.objects.exclude(awaiting_vector=True, dead_at__isnull=False)
    waiting = list(missing.filter(kind__in=kinds).order_by("kind").values_list("kind", flat=True).distinct())
    found: list[Any] = []
    whole = True
    for rows in restricted(scope, question, waiting, now=now):
        of_table = [kind for kind in waiting if SEARCHED[kind].rows is rows.model]
        entries = missing.filter(object_id=OuterRef("id"), kind__in=of_table)
        pending = rows.filter(Exists(entries)).order_by("-recorded_at", "-id")
        taken, all_taken = _within_limits(pending.iterator(chunk_size=CHUNK))
        found += taken
        whole = whole and all_taken
    found.sort(key=lambda row: (row.recorded_at, row.id), reverse=True)
    newest, fits = _within_limits(iter(found))
    return newest, whole and fits


def _within_limits(rows: Iterator[Any]) -> tuple[list[Any], bool]:
    """Return the first rows up to both limits, and whether there were no more."""
    taken: list[Any] = []
    characters = 0
    for row in rows:
        characters += len(getattr(row, "text", "")) + len(getattr(row, "context", ""))
        if len(taken) == settings.OVERLAY_MAX_MEMORIES or (taken and characters > settings.OVERLAY_MAX_CHARACTERS):
            return taken, False
        taken.append(row)
    return taken, True


def _cosines(rows: Sequence[Any], vector: Sequence[float], *, model: str) -> dict[UUID, float]:
    """Return the cosine of each row that has its vector by the model: of a long one, with its best passage."""
    cosines: dict[UUID, float] = {}
    for kind in dict.fromkeys(names.EPISODIC if row.kind in names.MEMORY_KINDS else row.kind for row in rows):
        searched = SEARCHED[kind]
        own = [row.id for row in rows if SEARCHED[row.kind] is searched]
        vectors = searched.vectors._default_manager.filter(**{f"{searched.owner}__in": own}, model=model)
        # A vector of another length, which only a fault can have left, must not cost the answer.
        alike = vectors.annotate(length=Func("vector", function="vector_dims", output_field=IntegerField()))
        measured = alike.filter(length=len(vector)).annotate(distance=CosineDistance("vector", list(vector)))
        cosines.update({owner: 1 - far for owner, far in measured.values_list(searched.owner, "distance")})
    for row_id, of_passages in passage_cosines(list(filter(is_long, rows)), vector, model=model).items():
        cosines[row_id] = max([*of_passages.values(), cosines.get(row_id, -1.0)])
    return cosines
