"""One search: every leg in one multi-search, then what each lacks in a second one."""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from elasticsearch import Elasticsearch

from backends.search.base import Answer, Candidate, Query, Statistics
from backends.search.elasticsearch import queries
from backends.search.elasticsearch.client import raise_for, translated
from backends.search.rarity import rare_among
from backends.search.reach import Reach

Item = dict[str, Any]


def search(client: Elasticsearch, query: Query, *, indexes: Sequence[str]) -> Answer:
    """Answer a query; client: holds the credential's key. indexes: of the query's kinds."""
    took_ms: dict[str, float] = {}
    start = time.perf_counter()
    legs: dict[str, Item] = {"lexical": queries.lexical(query), "statistics": queries.statistics(query)}
    if query.vector is not None:
        legs["dense"] = queries.dense(query)
    answers = _multi_search(client, query.reach, indexes, legs)
    took_ms.update({leg: float(answer["took"]) for leg, answer in answers.items()})
    took_ms["legs"] = (time.perf_counter() - start) * 1000
    lexical, dense, hits = _scores(query, answers)
    statistics = _statistics(answers["statistics"])
    start = time.perf_counter()
    rare_terms = _fill(client, query, indexes, lexical, dense, hits, statistics)
    took_ms["fill"] = (time.perf_counter() - start) * 1000
    return Answer(
        candidates=tuple(
            _candidate(object_id, source, lexical.get(object_id, 0.0), dense.get(object_id), rare_terms[object_id])
            for object_id, source in hits.items()
        ),
        took_ms=took_ms,
        statistics=statistics,
    )


def _multi_search(
    client: Elasticsearch, reach: Reach, indexes: Sequence[str], legs: Mapping[str, Item]
) -> dict[str, Item]:
    """Run named searches in one request under a key's rights; raise the error of the first that failed."""
    header = {
        "index": list(indexes),
        # Without it a term's weight would be that of its own index, and a lone fact's words would weigh nothing.
        "search_type": "dfs_query_then_fetch",
        "routing": str(reach.tenant_id),
        "allow_partial_search_results": False,  # a missing part would look like a missing memory
    }
    searches: list[Item] = []
    for body in legs.values():
        searches += [header, body]
    with translated():
        answers = client.msearch(searches=searches)["responses"]
    for answer in answers:
        raise_for(answer)
    return dict(zip(legs, answers, strict=True))


def _scores(
    query: Query, answers: Mapping[str, Item]
) -> tuple[dict[UUID, float], dict[UUID, float], dict[UUID, Item]]:
    """Return the lexical scores without the bonus, the cosines, and every hit's source, by document."""
    lexical: dict[UUID, float] = {}
    dense: dict[UUID, float] = {}
    hits: dict[UUID, Item] = {}
    for hit in answers["lexical"]["hits"]["hits"]:
        lexical[_object_id(hit)] = _without_bonus(query, hit)
        hits[_object_id(hit)] = hit["_source"]
    for hit in _hits(answers, "dense"):
        dense[_object_id(hit)] = _cosine(hit)
        hits[_object_id(hit)] = hit["_source"]
    return lexical, dense, hits


def _fill(
    client: Elasticsearch,
    query: Query,
    indexes: Sequence[str],
    lexical: dict[UUID, float],
    dense: dict[UUID, float],
    hits: dict[UUID, Item],
    statistics: Statistics,
) -> defaultdict[UUID, tuple[str, ...]]:
    """Add the numbers that one leg lacks, and the documents with rare terms; return these terms by document."""
    legs: dict[str, Item] = {}
    also = set(query.also) - set(query.without)
    without_lexical = sorted((dense.keys() | also) - lexical.keys())
    without_dense = sorted((lexical.keys() | also) - dense.keys()) if query.vector is not None else []
    seldom = rare_among(statistics.frequencies, at_most=query.rare_at_most)
    if without_lexical:
        legs["lexical"] = queries.lexical(query, ids=without_lexical)
    if without_dense:
        legs["dense"] = queries.dense(query, ids=without_dense)
    if seldom:
        legs["rare"] = queries.rare(query, seldom)
    answers = _multi_search(client, query.reach, indexes, legs) if legs else {}
    for hit in _hits(answers, "lexical"):
        lexical[_object_id(hit)] = float(hit["_score"])
        hits.setdefault(_object_id(hit), hit["_source"])
    for hit in _hits(answers, "dense"):
        dense[_object_id(hit)] = _cosine(hit)
        hits.setdefault(_object_id(hit), hit["_source"])
    rare_terms: defaultdict[UUID, tuple[str, ...]] = defaultdict(tuple)
    for hit in _hits(answers, "rare"):
        rare_terms[_object_id(hit)] = tuple(hit["matched_queries"])
        lexical.setdefault(_object_id(hit), _without_bonus(query, hit))
        hits.setdefault(_object_id(hit), hit["_source"])
    return rare_terms


def _hits(answers: Mapping[str, Item], leg: str) -> list[Item]:
    """Return the hits of a leg; none if it was not asked."""
    found: list[Item] = answers[leg]["hits"]["hits"] if leg in answers else []
    return found


def _without_bonus(query: Query, hit: Item) -> float:
    own = query.author is not None and hit["_source"]["author"] == query.author
    return float(hit["_score"]) - (query.own_bonus if own else 0.0)


def _candidate(
    object_id: UUID, source: Item, lexical: float, dense: float | None, rare: tuple[str, ...]
) -> Candidate:
    session = source.get("session_id")
    return Candidate(
        id=object_id,
        kind=source["kind"],
        session_id=UUID(session) if session else None,
        author=source.get("author", ""),
        lexical=lexical,
        dense=dense,
        rare_terms=rare,
    )


def _statistics(answer: Item) -> Statistics:
    frequencies: dict[str, list[int]] = {}
    for name, bucket in answer.get("aggregations", {}).get("terms", {}).get("buckets", {}).items():
        field, _, term = name.partition(":")
        frequencies.setdefault(term, [0, 0])[0 if field == "turn" else 1] = int(bucket["doc_count"])
    total = int(answer["hits"]["total"]["value"])
    return Statistics(documents=total, frequencies={term: (n[0], n[1]) for term, n in frequencies.items()})


def _object_id(hit: Item) -> UUID:
    return UUID(str(hit["_id"]).rpartition(":")[2])


def _cosine(hit: Item) -> float:
    """Return the cosine behind a score of similarity cosine, which is (1 + cosine) / 2."""
    return 2 * float(hit["_score"]) - 1
