"""Probes by counting, aggregating and suggesting."""

from typing import Any

from backends.search.attack import Outcome
from backends.search.elasticsearch.attack.probe import Probe

_ALL: dict[str, Any] = {"match_all": {}}


def _counted(name: str, aggregation: dict[str, Any], *numbers: str, known: Outcome = Outcome.OWN) -> Probe:
    return Probe(
        name=f"aggregation: {name}",
        call="POST /<read>/_search",
        body={"size": 0, "track_total_hits": True, "query": _ALL, "aggs": {"a": aggregation}},
        known=known,
        numbers=("hits.total.value", *(f"aggregations.a.{number}" for number in numbers)),
    )


def _suggested(name: str, body: dict[str, Any], by_index: Outcome) -> Probe:
    return Probe(
        name=f"suggest: {name}",
        call="POST /<read>/_search",
        body={"size": 0, "suggest": {"s": body}},
        known=Outcome.REFUSED,
        by_index=by_index,
    )


_TOP = {"top_hits": {"size": 100, "_source": True}}

PROBES = [
    Probe(
        name="count: everything",
        call="POST /<read>/_count",
        body={"query": _ALL},
        known=Outcome.OWN,
        numbers=("count",),
    ),
    Probe(
        name="count: the victim",
        call="POST /<read>/_count",
        known=Outcome.OWN,
        numbers=("count",),
        body={"query": {"term": {"tenant_id": "<victim tenant>"}}},
    ),
    _counted("terms of tenants", {"terms": {"field": "tenant_id", "size": 1000}}),
    _counted("terms with empty buckets", {"terms": {"field": "tenant_id", "size": 1000, "min_doc_count": 0}}),
    _counted("cardinality of tenants", {"cardinality": {"field": "tenant_id"}}, "value"),
    _counted("value count", {"value_count": {"field": "tenant_id"}}, "value"),
    _counted("global", {"global": {}, "aggs": {"t": {"terms": {"field": "tenant_id"}}}}, "doc_count"),
    _counted("global with top hits", {"global": {}, "aggs": {"t": _TOP}}, "doc_count"),
    _counted("filter on the victim", {"filter": {"term": {"tenant_id": "<victim tenant>"}}, "aggs": {"t": _TOP}}),
    _counted("missing", {"missing": {"field": "session_id"}}, "doc_count"),
    _counted(
        "significant terms",
        {"significant_terms": {"field": "session_id", "min_doc_count": 1, "background_filter": _ALL}},
    ),
    _counted("significant text", {"significant_text": {"field": "turn", "min_doc_count": 1}}),
    _counted("rare terms", {"rare_terms": {"field": "tenant_id"}}),
    _counted("composite", {"composite": {"size": 1000, "sources": [{"t": {"terms": {"field": "tenant_id"}}}]}}),
    _counted("scripted", {"terms": {"script": {"source": "doc['tenant_id'].value"}, "size": 1000}}),
    _counted(
        "scripted metric",
        {
            "scripted_metric": {
                "init_script": "state.x = []",
                "map_script": "state.x.add(doc['tenant_id'].value)",
                "combine_script": "state.x",
                "reduce_script": "states",
            }
        },
    ),
    _counted("sampler", {"sampler": {"shard_size": 100}, "aggs": {"t": _TOP}}, "doc_count"),
    _suggested(
        "term", {"text": "<victim misspelt>", "term": {"field": "turn", "suggest_mode": "always"}}, Outcome.OWN
    ),
    _suggested("phrase", {"text": "<victim misspelt>", "phrase": {"field": "turn"}}, Outcome.OWN),
    _suggested("completion", {"prefix": "<victim prefix>", "completion": {"field": "turn"}}, Outcome.ABSENT),
    Probe(
        name="terms enum",
        call="POST /<read>/_terms_enum",
        body={"field": "tenant_id", "string": ""},
        known=Outcome.REFUSED,
    ),
    Probe(name="field caps", call="POST /<read>/_field_caps?fields=*", known=Outcome.REFUSED),
    Probe(
        name="validate a query",
        call="POST /<read>/_validate/query?explain=true&rewrite=true",
        known=Outcome.REFUSED,
        body={"query": {"prefix": {"turn": "<victim prefix>"}}},
    ),
    Probe(
        name="rank evaluation",
        call="POST /<read>/_rank_eval",
        known=Outcome.REFUSED,
        body={
            "requests": [{"id": "q", "request": {"query": _ALL}, "ratings": []}],
            "metric": {"precision": {"k": 10}},
        },
        or_absent=True,
    ),
    Probe(name="vector tile", call="POST /<read>/_mvt/location/1/1/1", body={}, known=Outcome.OWN, or_absent=True),
    Probe(
        name="SQL",
        call="POST /_sql",
        body={"query": 'SELECT tenant_id FROM "<read>"'},
        known=Outcome.REFUSED,
        or_absent=True,
    ),
    Probe(
        name="ESQL",
        call="POST /_query",
        body={"query": "FROM <read> | LIMIT 100"},
        known=Outcome.REFUSED,
        or_absent=True,
    ),
    Probe(
        name="EQL",
        call="POST /<read>/_eql/search",
        body={"query": "any where true", "timestamp_field": "recorded_at", "event_category_field": "kind"},
        known=Outcome.REFUSED,
        or_absent=True,
    ),
    Probe(
        name="graph explore",
        call="POST /<read>/_graph/explore",
        known=Outcome.REFUSED,
        or_absent=True,
        body={"query": _ALL, "vertices": [{"field": "tenant_id"}]},
    ),
    Probe(
        name="async search",
        call="POST /<read>/_async_search?wait_for_completion_timeout=5s",
        known=Outcome.REFUSED,
        or_absent=True,
        body={"query": _ALL, "size": 100},
    ),
    Probe(
        name="search template",
        call="POST /<read>/_search/template",
        known=Outcome.OWN,
        or_absent=True,
        body={"source": {"query": _ALL}},
    ),
]
