"""Every query body this site sends to Elasticsearch; the reach is in every leg, inside the kNN clause too."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from backends.search import names
from backends.search.analysis import question_terms
from backends.search.base import Query, Statistics, Where
from backends.search.elasticsearch.filtering import filter_clause
from backends.search.elasticsearch.scoring import length_of, matching
from backends.search.elasticsearch.times import Clause, time_filter
from backends.search.native import MEANING
from backends.search.reach import Reach

KNN_EXPLORED = 4
"""num_candidates is this many times k: recall at 80 was .99 with it. Source: design note on engines."""
_FIELDS = ["session_id", "author", "kind"]


def tenant_filter(tenant_id: UUID) -> list[Clause]:
    """Return the filter clauses of all that belongs to a tenant."""
    return [{"term": {"tenant_id": str(tenant_id)}}]


def subject_filter(tenant_id: UUID, subject_id: UUID) -> list[Clause]:
    """Return the clauses of everything of one subject itself."""
    return [*tenant_filter(tenant_id), {"term": {"subject_id": str(subject_id)}}]


def reach_filter(reach: Reach) -> list[Clause]:
    """Return the clauses of a reach: literal term and terms on keyword fields, never empty."""
    clauses: list[Clause] = [
        {"term": {"tenant_id": str(reach.tenant_id)}},
        {"terms": {"kind": list(reach.kinds)}},
        {"terms": {"compartments": [*reach.compartments, names.NONE]}},
    ]
    if reach.subject_id is not None:
        clauses.append({"terms": {"subject_id": [str(reach.subject_id), names.NONE]}})
    return clauses


def where_filter(where: Where) -> list[Clause]:
    """Return the clauses of the caller's restrictions."""
    clauses: list[Clause] = []
    if where.own_only:
        own = {"bool": {"must_not": [{"term": {"subject_id": names.NONE}}]}}
        clauses.append({"bool": {"should": [own, {"term": {"kind": names.CATALOG}}], "minimum_should_match": 1}})
    if where.filters is not None:
        clauses.append(filter_clause(where.filters))
    return [*clauses, *time_filter(where)]


def candidates_filter(query: Query) -> list[Clause]:
    """Return the clauses that every candidate meets: the reach, the restrictions, and what is passed over."""
    return [*reach_filter(query.reach), *where_filter(query.where), *_passed_over(query)]


def _passed_over(query: Query) -> list[Clause]:
    if not query.without:
        return []
    return [{"bool": {"must_not": [{"ids": {"values": document_ids(query.reach, query.without)}}]}}]


def lexical(query: Query, statistics: Statistics, *, ids: Sequence[UUID] | None = None) -> Clause:
    """Return the lexical leg: BM25 of turn and window summed, the participant's bonus where anything matches.

    ids: score these documents only, without the bonus.
    """
    any_term = {"bool": {"should": matching(query, statistics), "minimum_should_match": 1}}
    body: Clause = {"must": [any_term], "filter": candidates_filter(query)}
    if ids is not None:
        body["filter"].append({"ids": {"values": document_ids(query.reach, ids)}})
    elif query.author is not None:
        own = {"filter": {"term": {"author": query.author}}, "boost": query.own_bonus}
        body["should"] = [{"constant_score": own}]
    size = query.candidates if ids is None else len(ids)
    return _search(size, query={"bool": body})


def dense(query: Query, *, ids: Sequence[UUID] | None = None) -> Clause:
    """Return the dense leg. ids: measure these documents only, exactly, since they are no more than k."""
    size = query.candidates if ids is None else len(ids)
    clauses = candidates_filter(query)
    if ids is not None:
        clauses.append({"ids": {"values": document_ids(query.reach, ids)}})
    knn = {
        "field": "embedding",
        "query_vector": [float(x) for x in query.vector or ()],
        "k": size,
        "num_candidates": max(size, min(size * KNN_EXPLORED, 10_000)),
        "filter": clauses,
    }
    return _search(size, knn=knn)


def semantic(query: Query, vector: Sequence[float], *, ids: Sequence[UUID] | None = None) -> Clause:
    """Return the leg of the engine's own semantic_text, its filter inside. ids: measure these documents only.

    A `knn` query, not `semantic`: that would have the engine embed the question anew for each leg, and hides where it
    filters. The search's own `knn` section knows no semantic_text.
    """
    body = dense(replace(query, vector=vector), ids=ids)
    knn = {**body.pop("knn"), "field": MEANING}
    return {**body, "query": {"knn": knn}}


def fused(query: Query, statistics: Statistics, meaning: Sequence[float] | None) -> Clause | None:
    """Return one search that chooses the pool by the engine's own reciprocal ranks; the reach is in every leg.

    None, when there is nothing to look for.
    """
    legs = []
    if matching(query, statistics):
        legs.append(_weighed({"standard": {"query": lexical(query, statistics)["query"]}}, 1.0))
    if query.vector is not None:
        legs.append(_weighed({"knn": dense(query)["knn"]}, query.dense_weight))
    if meaning is not None:
        legs.append(_weighed({"standard": {"query": semantic(query, meaning)["query"]}}, query.semantic_weight))
    size = 2 * query.candidates  # two portable legs propose as many
    rrf = {"retrievers": legs, "rank_constant": query.rank_constant, "rank_window_size": size}
    return {"size": size, "_source": _FIELDS, "retriever": {"rrf": rrf}} if legs else None


def _weighed(retriever: Clause, weight: float) -> Clause:
    return {"retriever": retriever, "weight": weight}


def rare(query: Query, statistics: Statistics, rare_terms: Sequence[str]) -> Clause:
    """Return the leg of documents that have a rare term in their turn, scored as in the lexical leg, terms named."""
    body = lexical(query, statistics)
    named = [{"term": {"turn": {"value": term, "_name": term}}} for term in rare_terms]
    body["query"]["bool"]["filter"].append({"bool": {"should": named, "minimum_should_match": 1}})
    return body


def statistics(query: Query) -> Clause:
    """Return the counting leg: documents in reach, their lengths, in how many each term of the question occurs."""
    counts = {
        f"{field}:{term}": {"term": {field: term}}
        for term in question_terms(query.text)
        for field in _searched(query)
    }
    body: Clause = {
        "size": 0,
        "track_total_hits": True,
        "query": {"bool": {"filter": [*reach_filter(query.reach), *_passed_over(query)]}},
        "aggs": {field: {"avg": {"field": length_of(field)}} for field in _searched(query)},
    }
    if counts:
        body["aggs"]["terms"] = {"filters": {"filters": counts}}
    return body


def document_ids(reach: Reach, ids: Sequence[UUID]) -> list[str]:
    """Return the engine's ids of documents of the reach's tenant."""
    return [names.document_id(reach.tenant_id, object_id) for object_id in ids]


def _searched(query: Query) -> tuple[str, ...]:
    return ("turn",) if query.reach.hides_window else ("turn", "window")


def _search(size: int, **legs: Any) -> Clause:
    return {"size": size, "_source": _FIELDS, "track_total_hits": False, **legs}
