"""The pool of one search: what each leg found, by document."""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any
from uuid import UUID

from backends.search.base import Candidate, Query
from backends.search.names import PASSAGES
from backends.search.native import RRF

SEMANTIC = "semantic"
Item = dict[str, Any]
"""Of the engine's answers, as its JSON says."""


class Found:
    """Every hit's source and numbers. answers: lexical, words, rare, dense, passages, semantic and rrf, as asked."""

    def __init__(self, query: Query, answers: Mapping[str, Item]) -> None:
        self._query = query
        self._hits: dict[UUID, Item] = {}
        self._lexical: dict[UUID, float] = {}
        self._dense: dict[UUID, float] = {}
        self._passages: dict[UUID, float] = {}
        self._semantic: dict[UUID, float] = {}
        self._rare: dict[UUID, tuple[str, ...]] = {}
        for hit in hits(answers, "lexical"):
            self._take(hit, self._lexical, self._without_bonus(hit))
        for hit in hits(answers, "words"):
            self._take(hit, self._lexical, float(hit["_score"]))
        for hit in hits(answers, "rare"):
            self._take(hit, self._lexical, self._without_bonus(hit))
            self._rare[object_id(hit)] = tuple(hit["matched_queries"])
        self.take_dense(hits(answers, "dense"))
        for hit in hits(answers, PASSAGES):
            self._take(hit, self._passages, 2 * float(hit["_score"]) - 1)
        self.take_semantic(hits(answers, SEMANTIC))
        for hit in hits(answers, RRF):
            self._hits.setdefault(object_id(hit), hit["_source"])

    def take_dense(self, hits: Sequence[Item]) -> None:
        """Add cosines, behind scores of similarity cosine, which are (1 + cosine) / 2."""
        for hit in hits:
            self._take(hit, self._dense, 2 * float(hit["_score"]) - 1)

    def take_passages(self, hits: Sequence[Item]) -> None:
        """Add cosines of best passages, measured exactly: behind scores of a cosine and 1."""
        for hit in hits:
            self._take(hit, self._passages, float(hit["_score"]) - 1)

    def take_semantic(self, hits: Sequence[Item]) -> None:
        """Add nearness by the model of semantic_text, on its own scale."""
        for hit in hits:
            self._take(hit, self._semantic, float(hit["_score"]))

    def without_semantic(self, also: Set[UUID]) -> set[UUID]:
        """Return the documents, and those also wanted, that the leg of semantic_text did not name."""
        return (self._hits.keys() | also) - self._semantic.keys()

    def without_passage(self, also: Set[UUID]) -> set[UUID]:
        """Return the documents, and those also wanted, of which no passage was measured."""
        return (self._hits.keys() | also) - self._passages.keys()

    def without_cosine(self, also: Set[UUID]) -> set[UUID]:
        """Return the documents, and those also wanted, that the dense leg did not name."""
        return (self._hits.keys() | also) - self._dense.keys()

    def candidates(self) -> Iterator[Candidate]:
        """Yield the pool."""
        for document, source in self._hits.items():
            session = source.get("session_id")
            yield Candidate(
                id=document,
                kind=source["kind"],
                session_id=UUID(session) if session else None,
                author=source.get("author", ""),
                lexical=self._lexical.get(document, 0.0),
                dense=max((one[document] for one in (self._dense, self._passages) if document in one), default=None),
                rare_terms=self._rare.get(document, ()),
                semantic=self._semantic.get(document),
            )

    def _take(self, hit: Item, scores: dict[UUID, float], score: float) -> None:
        self._hits.setdefault(object_id(hit), hit["_source"])
        scores.setdefault(object_id(hit), score)

    def _without_bonus(self, hit: Item) -> float:
        own = self._query.author is not None and hit["_source"]["author"] == self._query.author
        return float(hit["_score"]) - (self._query.own_bonus if own else 0.0)


def hits(answers: Mapping[str, Item], leg: str) -> list[Item]:
    """Return the hits of a leg; none if it was not asked."""
    found: list[Item] = answers[leg]["hits"]["hits"] if leg in answers else []
    return found


def object_id(hit: Item) -> UUID:
    """Return our id of a hit."""
    return UUID(str(hit["_id"]).rpartition(":")[2])
