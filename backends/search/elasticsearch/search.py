"""One search in three multi-searches: counts and vectors, words weighed by the counts, then what is lacking."""

import time
from collections.abc import Mapping, Sequence
from uuid import UUID

from elasticsearch import Elasticsearch

from backends.search.base import Answer, Query, Statistics
from backends.search.elasticsearch import queries
from backends.search.elasticsearch.client import raise_for, translated
from backends.search.elasticsearch.found import Found, Item, hits, object_id
from backends.search.elasticsearch.scoring import matching
from backends.search.rarity import rare_among
from backends.search.reach import Reach


def search(client: Elasticsearch, query: Query, *, indexes: Sequence[str]) -> Answer:
    """Answer a query; client: holds the credential's key. indexes: of the query's kinds."""
    took_ms: dict[str, float] = {}
    start = time.perf_counter()
    legs: dict[str, Item] = {"statistics": queries.statistics(query)}
    if query.vector is not None:
        legs["dense"] = queries.dense(query)
    answers = _multi_search(client, query.reach, indexes, legs)
    statistics = _statistics(answers["statistics"])
    near = [object_id(hit) for hit in hits(answers, "dense")]
    answers |= _multi_search(client, query.reach, indexes, _by_words(query, statistics, near))
    took_ms.update({leg: float(answer["took"]) for leg, answer in answers.items()})
    took_ms["legs"] = (time.perf_counter() - start) * 1000
    start = time.perf_counter()
    found = Found(query, answers)
    lacking = found.without_cosine() | (_also(query) - {*near})
    if query.vector is not None and lacking:
        legs = {"fill": queries.dense(query, ids=sorted(lacking))}
        found.take_dense(hits(_multi_search(client, query.reach, indexes, legs), "fill"))
    took_ms["fill"] = (time.perf_counter() - start) * 1000
    return Answer(candidates=tuple(found.candidates()), took_ms=took_ms, statistics=statistics)


def _by_words(query: Query, statistics: Statistics, near: Sequence[UUID]) -> dict[str, Item]:
    """Return the legs that need the counts. near: documents of the dense leg, whose words are weighed as well."""
    if not matching(query, statistics):
        return {}
    legs: dict[str, Item] = {"lexical": queries.lexical(query, statistics)}
    others = sorted({*near} | _also(query))
    if others:
        legs["words"] = queries.lexical(query, statistics, ids=others)
    seldom = rare_among(statistics.frequencies, at_most=query.rare_at_most)
    if seldom:
        legs["rare"] = queries.rare(query, statistics, seldom)
    return legs


def _also(query: Query) -> set[UUID]:
    return set(query.also) - set(query.without)


def _multi_search(
    client: Elasticsearch, reach: Reach, indexes: Sequence[str], legs: Mapping[str, Item]
) -> dict[str, Item]:
    """Run named searches in one request under a key's rights; raise the error of the first that failed."""
    if not legs:
        return {}
    header = {
        "index": list(indexes),
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


def _statistics(answer: Item) -> Statistics:
    frequencies: dict[str, list[int]] = {}
    for name, bucket in answer["aggregations"].get("terms", {}).get("buckets", {}).items():
        field, _, term = name.partition(":")
        frequencies.setdefault(term, [0, 0])[0 if field == "turn" else 1] = int(bucket["doc_count"])
    return Statistics(
        documents=int(answer["hits"]["total"]["value"]),
        frequencies={term: (n[0], n[1]) for term, n in frequencies.items()},
        turn_length=_average(answer, "turn"),
        window_length=_average(answer, "window"),
    )


def _average(answer: Item, field: str) -> float | None:
    average = answer["aggregations"].get(field, {}).get("value")
    return None if average is None else float(average)
