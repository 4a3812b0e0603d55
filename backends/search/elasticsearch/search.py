"""One search in three multi-searches: counts and vectors, words weighed by the counts, then what is lacking."""

import logging
import time
from collections.abc import Mapping, Sequence
from uuid import UUID

from elasticsearch import Elasticsearch

from backends.errors import Rejected
from backends.search.base import PORTABLE, Answer, Query, Statistics
from backends.search.elasticsearch import queries
from backends.search.elasticsearch.client import raise_for, translated
from backends.search.elasticsearch.found import SEMANTIC, Found, Item, hits, object_id
from backends.search.elasticsearch.passages import near_passages, nearest, passages_of
from backends.search.elasticsearch.scoring import matching
from backends.search.names import PASSAGES
from backends.search.native import RRF
from backends.search.rarity import rare_among
from backends.search.reach import Reach

log = logging.getLogger(__name__)

NOT_MAPPED = 400
"""How a leg ends that asks for a field which the index does not have."""


def search(
    client: Elasticsearch,
    query: Query,
    *,
    indexes: Sequence[str],
    meaning: Sequence[float] | None = None,
    native: bool = False,
) -> Answer:
    """Answer a query; client: holds the credential's key. indexes: of the query's kinds.

    meaning: the question's vector by the model of the field semantic_text; None: no such leg. native: the engine's
    own rrf chooses the pool, and long documents near by a passage join it; what is known of each document is then
    asked for as always, and the caller orders it.
    """
    took_ms: dict[str, float] = {}
    start = time.perf_counter()
    vectors = _by_vectors(query, meaning)
    legs: dict[str, Item] = {"statistics": queries.statistics(query), **({} if native else vectors)}
    if query.vector is not None:
        legs[PASSAGES] = near_passages(query)
    answers = _multi_search(client, query.reach, indexes, legs)
    long = bool(hits(answers, PASSAGES))
    _keep_nearest(answers, query.candidates)
    statistics = _statistics(answers["statistics"])
    if native and (body := queries.fused(query, statistics, meaning)) is not None:
        try:
            answers |= _multi_search(client, query.reach, indexes, {RRF: body})
        except Rejected as error:
            log.warning("the site fuses this answer itself: %s", error)
            return search(client, query, indexes=indexes, meaning=meaning)
    near = [object_id(hit) for leg in (RRF, PASSAGES, *vectors) for hit in hits(answers, leg)]
    answers |= _multi_search(client, query.reach, indexes, _by_words(query, statistics, near, native=native))
    took_ms.update({leg: float(answer["took"]) for leg, answer in answers.items()})
    took_ms["legs"] = (time.perf_counter() - start) * 1000
    start = time.perf_counter()
    missing = () if native else tuple(leg for leg in vectors if leg not in answers)
    found = Found(query, answers)
    _fill(client, query, indexes, found, meaning=None if missing else meaning, long=long)
    took_ms["fill"] = (time.perf_counter() - start) * 1000
    return Answer(
        candidates=tuple(found.candidates()),
        took_ms=took_ms,
        statistics=statistics,
        legs=("lexical", *(leg for leg in vectors if leg not in missing)),
        fusion=RRF if native else PORTABLE,
        missing=missing,
    )


def _keep_nearest(answers: Mapping[str, Item], limit: int) -> None:
    """Leave in the two halves of the dense leg what is nearest by either."""
    if not hits(answers, PASSAGES):
        return
    kept = nearest(hits(answers, "dense"), hits(answers, PASSAGES), limit=limit)
    for leg in ("dense", PASSAGES):
        answers[leg]["hits"]["hits"] = [hit for hit in hits(answers, leg) if object_id(hit) in kept]


def _by_vectors(query: Query, meaning: Sequence[float] | None) -> dict[str, Item]:
    """Return the legs of nearness."""
    legs = {} if query.vector is None else {"dense": queries.dense(query)}
    return legs if meaning is None else {**legs, SEMANTIC: queries.semantic(query, meaning)}


def _fill(
    client: Elasticsearch,
    query: Query,
    indexes: Sequence[str],
    found: Found,
    *,
    meaning: Sequence[float] | None,
    long: bool,
) -> None:
    """Add the nearness of documents that a leg of it did not name. long: whether any in reach may have passages."""
    legs: dict[str, Item] = {}
    if query.vector is not None and (lacking := found.without_cosine(_also(query))):
        legs["fill"] = queries.dense(query, ids=sorted(lacking))
    if long and query.vector is not None and (lacking := found.without_passage(_also(query))):
        legs[PASSAGES] = passages_of(query, sorted(lacking))
    if meaning is not None and (lacking := found.without_semantic(_also(query))):
        legs[SEMANTIC] = queries.semantic(query, meaning, ids=sorted(lacking))
    answers = _multi_search(client, query.reach, indexes, legs)
    found.take_dense(hits(answers, "fill"))
    found.take_passages(hits(answers, PASSAGES))
    found.take_semantic(hits(answers, SEMANTIC))


def _by_words(query: Query, statistics: Statistics, near: Sequence[UUID], *, native: bool) -> dict[str, Item]:
    """Return the legs that need the counts. near: documents of other legs, whose words are weighed as well."""
    if not matching(query, statistics):
        return {}
    legs: dict[str, Item] = {} if native else {"lexical": queries.lexical(query, statistics)}
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
    """Run named searches in one request under a key's rights; raise the error of the first that failed.

    The leg of semantic_text is left out where it fails: its model is another's, and an answer is whole without it.
    So is that of passages where an index is from before there were any, and setup_search has not run.
    """
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
    named: dict[str, Item] = dict(zip(legs, answers, strict=True))
    if "error" in named.get(SEMANTIC, {}):
        log.warning("%s is done without: %s", SEMANTIC, named.pop(SEMANTIC)["error"].get("type"))
    if named.get(PASSAGES, {}).get("status") == NOT_MAPPED:
        log.warning("%s are done without: %s", PASSAGES, named.pop(PASSAGES)["error"].get("type"))
    for answer in named.values():
        raise_for(answer)
    return named


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
