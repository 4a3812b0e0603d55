"""Elasticsearch as a SearchEngine."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from elasticsearch import Elasticsearch

from backends.errors import Unavailable
from backends.search import names
from backends.search.base import (
    Answer,
    Candidate,
    Change,
    Credential,
    IndexDefinition,
    Outcome,
    Query,
    Reach,
    SearchEngine,
    Statistics,
)
from backends.search.elasticsearch import keys, queries
from backends.search.elasticsearch.client import connected, raise_for, translated
from backends.search.elasticsearch.writing import write

Item = dict[str, Any]


class ElasticsearchEngine(SearchEngine):
    """Search in Elasticsearch, under API keys that see only what they reach.

    url: with the credentials of a user (a key could not mint keys). Searches go through the same connections, each
    with its caller's own key.
    """

    name = "elasticsearch"
    visible_after_s = 2.0

    def __init__(self, url: str) -> None:
        self._url = url

    @cached_property
    def _client(self) -> Elasticsearch:
        return connected(self._url)

    def ensure(self, definitions: Sequence[IndexDefinition]) -> None:
        """Create each kind's index behind its aliases, where no index stands behind them yet."""
        with translated():
            for definition in definitions:
                if not self._client.indices.exists_alias(name=names.read_alias(definition.kind)):
                    self._client.indices.create(
                        index=names.index_name(definition.kind, definition.generation),
                        mappings=dict(definition.mapping),
                        settings=dict(definition.settings),
                        aliases={
                            names.read_alias(definition.kind): {},
                            names.write_alias(definition.kind): {"is_write_index": True},
                        },
                        wait_for_active_shards="1",
                    )

    def ping(self) -> None:
        """Return when every kind's alias is there."""
        with translated():
            for kind in names.KINDS:
                if not self._client.indices.exists_alias(name=names.read_alias(kind)):
                    raise Unavailable("Elasticsearch has no indexes yet; run setup_search")

    def apply(self, changes: Sequence[Change]) -> list[Outcome]:
        """Send one bulk request with external versions."""
        with translated():
            return write(self._client, changes)

    def versions(self, tenant_id: UUID, kind: str, ids: Sequence[UUID]) -> dict[UUID, int]:
        """Return the versions held, read in real time."""
        if not ids:
            return {}
        wanted = [{"_id": names.document_id(tenant_id, object_id), "routing": str(tenant_id)} for object_id in ids]
        with translated():
            found = self._client.mget(index=names.write_alias(kind), docs=wanted, source=False)["docs"]
        pairs = zip(ids, found, strict=True)
        return {object_id: int(item["_version"]) for object_id, item in pairs if item.get("found")}

    def search(self, query: Query, *, using: Credential) -> Answer:
        """Run the legs in one multi-search, then fill in what each leg does not know in a second one."""
        client = self._client.options(api_key=using.secret)
        took_ms: dict[str, float] = {}
        start = time.perf_counter()
        legs: dict[str, Item] = {"lexical": queries.lexical(query), "statistics": queries.statistics(query)}
        if query.vector is not None:
            legs["dense"] = queries.dense(query)
        answers = _multi_search(client, query.reach, legs)
        took_ms.update({leg: float(answer["took"]) for leg, answer in answers.items()})
        took_ms["legs"] = (time.perf_counter() - start) * 1000
        lexical, dense, hits = _scores(query, answers)
        statistics = _statistics(answers["statistics"])
        start = time.perf_counter()
        rare = _fill(client, query, lexical, dense, hits, statistics)
        took_ms["fill"] = (time.perf_counter() - start) * 1000
        return Answer(
            candidates=tuple(
                _candidate(object_id, source, lexical.get(object_id, 0.0), dense.get(object_id), rare[object_id])
                for object_id, source in hits.items()
            ),
            took_ms=took_ms,
            statistics=statistics if query.statistics else None,
        )

    def count(self, reach: Reach) -> int:
        """Return how many documents stand in a reach, after a refresh."""
        index = ",".join(names.read_alias(kind) for kind in reach.kinds)
        with translated():
            self._client.indices.refresh(index=index)
            return int(
                self._client.count(index=index, query={"bool": {"filter": queries.reach_filter(reach)}})["count"]
            )

    def refresh(self) -> None:
        """Refresh every kind's index."""
        with translated():
            self._client.indices.refresh(index=",".join(names.read_alias(kind) for kind in names.KINDS))

    def grant(self, reach: Reach, *, name: str, expires_at: datetime) -> Credential:
        """Mint an API key with document-level security."""
        with translated():
            return keys.mint(self._client, reach, name=name, expires_at=expires_at)

    def reach_of(self, credential_id: str) -> Reach | None:
        """Return the reach in a live key's stored role descriptor."""
        with translated():
            return keys.stored_reach(self._client, credential_id)

    def revoke(self, credential_ids: Sequence[str]) -> None:
        """Invalidate API keys until the engine confirms each."""
        with translated():
            keys.revoke(self._client, credential_ids)


def _multi_search(client: Elasticsearch, reach: Reach, legs: Mapping[str, Item]) -> dict[str, Item]:
    """Run named searches in one request under a key's rights; raise the error of the first that failed."""
    header = {"index": [names.read_alias(kind) for kind in reach.kinds], "routing": str(reach.tenant_id)}
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
    lexical: dict[UUID, float],
    dense: dict[UUID, float],
    hits: dict[UUID, Item],
    statistics: Statistics,
) -> Counter[UUID]:
    """Add the numbers that one leg lacks, and the documents with rare terms; return how many each has."""
    legs: dict[str, Item] = {}
    without_lexical = sorted(dense.keys() - lexical.keys())
    without_dense = sorted(lexical.keys() - dense.keys()) if query.vector is not None else []
    seldom = [term for term, (turns, _) in statistics.frequencies.items() if 0 < turns <= query.rare_at_most]
    if without_lexical:
        legs["lexical"] = queries.lexical(query, ids=without_lexical)
    if without_dense:
        legs["dense"] = queries.dense(query, ids=without_dense)
    if seldom:
        legs["rare"] = queries.rare(query, seldom)
    answers = _multi_search(client, query.reach, legs) if legs else {}
    for hit in _hits(answers, "lexical"):
        lexical[_object_id(hit)] = float(hit["_score"])
    for hit in _hits(answers, "dense"):
        dense[_object_id(hit)] = _cosine(hit)
    rare: Counter[UUID] = Counter()
    for hit in _hits(answers, "rare"):
        rare[_object_id(hit)] = len(hit["matched_queries"])
        lexical.setdefault(_object_id(hit), _without_bonus(query, hit))
        hits.setdefault(_object_id(hit), hit["_source"])
    return rare


def _hits(answers: Mapping[str, Item], leg: str) -> list[Item]:
    """Return the hits of a leg; none if it was not asked."""
    found: list[Item] = answers[leg]["hits"]["hits"] if leg in answers else []
    return found


def _without_bonus(query: Query, hit: Item) -> float:
    own = query.author is not None and hit["_source"]["author"] == query.author
    return float(hit["_score"]) - (query.own_bonus if own else 0.0)


def _candidate(object_id: UUID, source: Item, lexical: float, dense: float | None, rare: int) -> Candidate:
    session = source.get("session_id")
    return Candidate(
        id=object_id,
        kind=source["kind"],
        session_id=UUID(session) if session else None,
        author=source.get("author", ""),
        lexical=lexical,
        dense=dense,
        rare=rare,
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
