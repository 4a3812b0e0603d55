"""Near: the facts of a run's user that are near to a statement by meaning, looked for as recall looks.

The engine is asked with a credential of the run's own, and what it cannot show yet is looked at in the record. No
scope is open while the engine or the embedder works. What is away leaves a run to slots and words for the rest of it.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from backends.embedders.base import Embedder
from backends.errors import BackendError
from backends.search import names
from backends.search.analysis import terms
from backends.search.base import Query, SearchEngine, Where
from backends.search.reach import Credential
from consolidation.models import Run
from consolidation.services.runs import scope_of
from memories.models import Memory, MemoryVector
from memories.models.memory import Status
from memories.services.beside import beside
from memories.services.engine import embedder, search_engine
from memories.services.prepare_recall import waiting_rows
from memories.services.question import Question
from memories.services.recall import MODEL_WAIT_S
from tenants.ids import uuid7
from tenants.services.engine_credential import reach_of
from tenants.services.open_scope import open_scope

log = logging.getLogger(__name__)

TOP = 10
"""How many are near. Source: seed S4, 3 (top 10)."""
EMBEDDED_MAX = 5
"""Of what has no vector yet, those that share most words are embedded here, at ten milliseconds each."""
REMEMBERED_MAX = 500
"""Vectors of a run's own statements, which are facts of the next moment, are kept so long as the run looks."""
KEPT = timedelta(minutes=5)
"""A credential is used for so long; the engine's list is checked for older ones that nobody knows."""
LIVES = timedelta(minutes=15)


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """One active fact near to a statement. cosine: of the two texts by the site's embedder, in [-1, 1]."""

    id: UUID
    text: str
    cosine: float


class Nearness:
    """Looks for what is near to statements of one run."""

    def __init__(self, run: Run, *, engine: SearchEngine, embedder: Embedder) -> None:
        self._run, self._engine, self._embedder = run, engine, embedder
        self._held: tuple[Credential, datetime] | None = None
        self._away = False
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def near(self, texts: Sequence[str], *, now: datetime) -> list[tuple[Near, ...]]:
        """Return the facts near to each text, the nearest first; none, where the engine or the embedder is away.

        Facts of the run's user in its compartments that are active and have not ended. No scope may be open.
        """
        nothing: list[tuple[Near, ...]] = [() for _ in texts]
        if self._away or not texts:
            return nothing
        try:
            vectors = self._embedded(texts)
            waiting = self._waiting(texts[0], now=now)
            found = [
                self._proposed(text, vector, waiting, now=now) for text, vector in zip(texts, vectors, strict=True)
            ]
            known = self._read({*waiting, *(one for ids in found for one in ids)})
            return [
                self._measured(text, vector, {pk: known[pk] for pk in (*waiting, *ids) if pk in known})
                for text, vector, ids in zip(texts, vectors, found, strict=True)
            ]
        except (BackendError, TimeoutError) as error:
            self._note_away(error)
            return nothing

    def vectors(self, texts: Sequence[str]) -> "list[NDArray[np.float32]] | None":
        """Return a vector of each text; None, where the embedder is away. No scope may be open."""
        if self._away:
            return None
        try:
            return self._embedded(texts)
        except (BackendError, TimeoutError) as error:
            self._note_away(error)
            return None

    def close(self) -> None:
        """Give the credential back."""
        if self._held is None:
            return
        try:
            self._engine.revoke([self._held[0].id])
        except BackendError as error:
            log.warning("consolidation %s: a credential lives on for minutes: %s", self._run.id, type(error).__name__)
        self._held = None

    def _note_away(self, error: Exception) -> None:
        log.warning("consolidation %s goes on by slots and words alone: %s", self._run.id, type(error).__name__)
        self._away = True

    def _embedded(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            made = beside(lambda: self._embedder.passages(new), pool="near").result(timeout=MODEL_WAIT_S)
            if len(self._vectors) > REMEMBERED_MAX:
                self._vectors = {text: self._vectors[text] for text in texts if text in self._vectors}
            self._vectors.update(zip(new, made, strict=True))
        return [self._vectors[text] for text in texts]

    def _waiting(self, text: str, *, now: datetime) -> list[UUID]:
        """Return the facts that the engine cannot show yet, newest first."""
        question = Question(query=text, include_shared=False, include_catalog=False)
        scope = scope_of(self._run)
        with open_scope(scope):
            rows, _ = waiting_rows(scope, question, (names.SEMANTIC,), now=now)
        return [row.id for row in rows]

    def _proposed(
        self, text: str, vector: NDArray[np.float32], waiting: Sequence[UUID], *, now: datetime
    ) -> list[UUID]:
        """Return what the engine proposes, the nearest first."""
        query = Query(
            reach=replace(reach_of(scope_of(self._run)), kinds=(names.SEMANTIC,)),
            text=text,
            vector=[float(x) for x in vector],
            where=Where(judged_at=now, own_only=True),
            candidates=TOP,
            without=tuple(waiting),
        )
        answer = self._engine.search(query, using=self._credential(now=now))
        ranked = sorted(answer.candidates, key=lambda one: -(one.dense if one.dense is not None else -1.0))
        return [one.id for one in ranked]

    def _credential(self, *, now: datetime) -> Credential:
        """Return the run's own credential, which reads this user's facts and nothing else."""
        if self._held is not None and now - self._held[1] > KEPT:
            self.close()
        if self._held is None:
            reach = replace(reach_of(scope_of(self._run)), kinds=(names.SEMANTIC,))
            name = f"{names.CREDENTIAL_PREFIX}{self._run.id}:{uuid7()}"
            self._held = (self._engine.grant(reach, name=name, expires_at=now + LIVES), now)
        return self._held[0]

    def _read(self, ids: set[UUID]) -> dict[UUID, tuple[str, NDArray[np.float32] | None]]:
        """Return the text, and the vector where there is one, of those that the record confirms."""
        with open_scope(scope_of(self._run)):
            texts = dict(facts_of(self._run).filter(id__in=ids).values_list("id", "text"))
            kept = MemoryVector.objects.filter(memory_id__in=list(texts), model=self._embedder.model)
            vectors: dict[UUID, NDArray[np.float32]] = dict(kept.values_list("memory_id", "vector"))
        return {pk: (text, vectors.get(pk)) for pk, text in texts.items()}

    def _measured(
        self, text: str, vector: NDArray[np.float32], known: Mapping[UUID, tuple[str, NDArray[np.float32] | None]]
    ) -> tuple[Near, ...]:
        cosines = {pk: _cosine(vector, own) for pk, (_, own) in known.items() if own is not None}
        best = self._likely(text, {pk: other for pk, (other, own) in known.items() if own is None})
        if best:
            made = self._embedded([known[pk][0] for pk in best])
            cosines.update({pk: _cosine(vector, own) for pk, own in zip(best, made, strict=True)})
        ranked = sorted(cosines, key=lambda pk: -cosines[pk])[:TOP]
        return tuple(Near(id=pk, text=known[pk][0], cosine=cosines[pk]) for pk in ranked)

    def _likely(self, text: str, others: Mapping[UUID, str]) -> list[UUID]:
        """Return which of the facts without a vector are worth one: those that have it here, then by shared words."""
        ready = [pk for pk, other in others.items() if other in self._vectors]
        said = set(terms(text))
        shared = {pk: len(said & set(terms(other))) for pk, other in others.items() if other not in self._vectors}
        best = sorted((pk for pk, words in shared.items() if words), key=lambda pk: -shared[pk])
        return ready + best[:EMBEDDED_MAX]


@contextmanager
def looking(run: Run) -> Iterator[Nearness]:
    """Look for a run with the engine and the embedder that the site is set up with."""
    nearness = Nearness(run, engine=search_engine(), embedder=embedder())
    try:
        yield nearness
    finally:
        nearness.close()


def facts_of(run: Run) -> "QuerySet[Memory]":
    """Return the active facts of a run's user in its compartments that have not ended. The scope is open."""
    return Memory.objects.filter(
        subject_id=run.subject_id,
        compartments=run.compartments,
        memory_type=names.SEMANTIC,
        status=Status.ACTIVE,
        valid_to__isnull=True,
    )


def _cosine(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    return float(np.dot(one, np.asarray(other, dtype=np.float32))) if len(one) == len(other) else -1.0
