"""Probes by search: every leg and option of the search calls, without any filter of ours."""

from typing import Any

from backends.search.attack import Outcome
from backends.search.elasticsearch.attack.probe import Probe

_ALL: dict[str, Any] = {"match_all": {}}
_TOTAL = ("hits.total.value",)
_SIZE = 200


def _search(
    name: str,
    known: Outcome = Outcome.OWN,
    path: str = "<read>",
    by_index: Outcome | None = None,
    **body: Any,
) -> Probe:
    return Probe(
        name=name,
        call=f"POST /{path}/_search",
        body={"size": _SIZE, "track_total_hits": True, **body},
        known=known,
        numbers=_TOTAL,
        by_index=by_index,
    )


_KNN = {"field": "embedding", "query_vector": "<vector>", "k": 100, "num_candidates": 100}
_PASSAGES = {"all": {"global": {}, "aggs": {"passages": {"nested": {"path": "passages"}}}}}
_FOREIGN = {"term": {"tenant_id": "<victim tenant>"}}
_SCRIPT = {"source": "params['_source']['tenant_id']"}
_BY_WORD = {"match": {"turn": "<victim word>"}}

PROBES = [
    _search("search: everything", query=_ALL),
    _search("search: every index", path="*", query=_ALL),
    _search("search: the concrete index", path="<index>", query=_ALL),
    _search("search: the write alias", Outcome.REFUSED, path="<write>", query=_ALL),
    _search("search: the security index", Outcome.REFUSED, path=".security", query=_ALL),
    _search("search: by the victim's tenant", query=_FOREIGN),
    _search("search: by the victim's words", query=_BY_WORD),
    _search("search: by the victim's id", query={"ids": {"values": ["<victim document>"]}}),
    _search("search: a should that always holds", query={"bool": {"should": [_FOREIGN, _ALL]}}),
    _search("search: must_not own", query={"bool": {"must_not": [{"term": {"tenant_id": "<own tenant>"}}]}}),
    _search("search: query string", query={"query_string": {"query": "tenant_id:<victim tenant> OR *:*"}}),
    _search("search: wildcard", query={"wildcard": {"tenant_id": "*"}}),
    _search("search: prefix of a word", query={"prefix": {"turn": "<victim prefix>"}}),
    _search("search: constant score", query={"constant_score": {"filter": _FOREIGN}}),
    _search("search: boosting", query={"boosting": {"positive": _ALL, "negative": _FOREIGN, "negative_boost": 0.1}}),
    _search("search: script query", query={"script": {"script": {"source": "true"}}}),
    _search(
        "search: script score",
        query={"script_score": {"query": _ALL, "script": {"source": "doc['tenant_id'].size()"}}},
    ),
    _search("search: all fields of the source", query=_ALL, fields=["*"], _source=True),
    _search("search: doc values", query=_ALL, docvalue_fields=["tenant_id", "subject_id"], _source=False),
    _search("search: highlight", query=_BY_WORD, highlight={"fields": {"turn": {}}, "highlight_query": _ALL}),
    _search(
        "search: runtime field",
        query=_ALL,
        fields=["x"],
        runtime_mappings={"x": {"type": "keyword", "script": {"source": "emit(params['_source']['tenant_id'])"}}},
    ),
    _search("search: script field", query=_ALL, script_fields={"x": {"script": _SCRIPT}}),
    _search("search: sort by the victim", query=_ALL, sort=[{"tenant_id": "asc"}]),
    _search("search: search after", query=_ALL, sort=[{"tenant_id": "asc"}], search_after=["0"]),
    _search(
        "search: collapse with inner hits",
        query=_ALL,
        collapse={"field": "tenant_id", "inner_hits": {"name": "all", "size": 100}},
    ),
    _search("search: post filter", query=_ALL, post_filter=_FOREIGN),
    _search("search: rescore", query=_ALL, rescore={"window_size": 50, "query": {"rescore_query": _FOREIGN}}),
    _search(
        "search: named queries",
        query={"bool": {"should": [{"term": {"tenant_id": {"value": "<victim tenant>", "_name": "foreign"}}}, _ALL]}},
    ),
    _search(
        "search: more like the victim's document",
        Outcome.REFUSED,
        query={
            "more_like_this": {
                "fields": ["turn"],
                "like": [{"_index": "<index>", "_id": "<victim document>", "routing": "<victim tenant>"}],
                "min_term_freq": 1,
                "min_doc_freq": 1,
            }
        },
    ),
    _search(
        "search: terms lookup in the victim's document",
        Outcome.REFUSED,
        query={
            "terms": {
                "session_id": {
                    "index": "<read>",
                    "id": "<victim document>",
                    "path": "session_id",
                    "routing": "<victim tenant>",
                }
            }
        },
    ),
    _search("search: indices boost", query=_ALL, indices_boost=[{"<read>": 2.0}]),
    _search("search: profile", Outcome.REFUSED, query=_BY_WORD, profile=True, by_index=Outcome.OWN),
    _search("search: slice", Outcome.ABSENT, query=_ALL, slice={"id": 0, "max": 2}),
    _search("search: a retriever", retriever={"standard": {"query": _FOREIGN}}),
    _search(
        "search: a point in time opened by the site", path="", query=_ALL, pit={"id": "<pit>"}, known=Outcome.OWN
    ),
    _search("knn: without a filter", knn=_KNN),
    _search("knn: passages without a filter", knn={**_KNN, "field": "passages.vector"}),
    _search("knn: passages filtered on the victim", knn={**_KNN, "field": "passages.vector", "filter": _FOREIGN}),
    _search(
        "nested: every passage",
        query={"nested": {"path": "passages", "query": _ALL, "inner_hits": {"_source": True, "size": 100}}},
    ),
    _search("aggregation: every passage counted", query=_ALL, aggs=_PASSAGES),
    _search("knn: filtered on the victim", knn={**_KNN, "filter": _FOREIGN}),
    _search("knn: as a query", query={"knn": _KNN}),
    _search(
        "knn: exact by script",
        query={
            "script_score": {
                "query": _ALL,
                "script": {"source": "cosineSimilarity(params.v, 'embedding') + 1.0", "params": {"v": "<vector>"}},
            }
        },
    ),
    _search("knn: similarity above nothing", knn={**_KNN, "similarity": -1.0}),
    Probe(
        name="msearch: every index",
        call="POST /_msearch",
        known=Outcome.OWN,
        numbers=("responses.0.hits.total.value",),
        body=[{"index": "<read>"}, {"size": _SIZE, "query": _ALL}],
    ),
    Probe(
        name="search: its score by a word of others",
        call="POST /<read>/_search",
        known=Outcome.OWN,
        twice=True,
        body={"query": {"match": {"turn": "<word>"}}, "_source": False, "stored_fields": []},
    ),
    Probe(
        name="search: its explanation by a word of others",
        call="POST /<read>/_search",
        known=Outcome.STATISTICS,
        by_index=Outcome.OWN,
        twice=True,
        body={"query": {"match": {"turn": "<word>"}}, "explain": True, "_source": False},
    ),
]
