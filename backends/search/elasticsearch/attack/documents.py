"""Probes of single documents: reading them past search, and writing them."""

from typing import Any

from backends.search.attack import Outcome
from backends.search.elasticsearch.attack.probe import Probe

_ALL: dict[str, Any] = {"match_all": {}}
_DOCUMENT = "<victim document>?routing=<victim tenant>"


def _read(name: str, call: str, body: Any = None, known: Outcome = Outcome.REFUSED) -> Probe:
    return Probe(name=name, call=call, body=body, known=known)


def _write(name: str, call: str, body: Any = None, known: Outcome = Outcome.REFUSED) -> Probe:
    return Probe(name=name, call=call, body=body, known=known, writes=True)


_META = {"_index": "<write>", "_id": "<victim document>", "routing": "<victim tenant>"}
_TAKEN = {"turn": "taken over"}

PROBES = [
    _read("get: the victim's document", f"GET /<read>/_doc/{_DOCUMENT}"),
    _read("get: its source", f"GET /<read>/_source/{_DOCUMENT}"),
    _read("get: whether it is there", f"HEAD /<read>/_doc/{_DOCUMENT}"),
    _read("get: many", "POST /_mget", {"docs": [{**_META, "_index": "<read>"}]}),
    _read("explain: the victim's document", f"POST /<read>/_explain/{_DOCUMENT}", {"query": _ALL}),
    _read(
        "term vectors: the victim's document",
        f"GET /<read>/_termvectors/{_DOCUMENT}&fields=turn&term_statistics=true",
    ),
    _read(
        "term vectors: of a text, with statistics",
        "POST /<read>/_termvectors?routing=<own tenant>",
        {"doc": {"turn": "<victim word>"}, "term_statistics": True},
    ),
    _read("term vectors: many", "POST /_mtermvectors", {"docs": [{**_META, "_index": "<read>"}]}),
    _read("scroll: open", "POST /<read>/_search?scroll=1m", {"query": _ALL, "size": 100}, Outcome.OWN),
    _read("scroll: go on with the site's", "POST /_search/scroll", {"scroll_id": "<scroll>"}, Outcome.REFUSED),
    _read("point in time: open", "POST /<read>/_pit?keep_alive=1m"),
    _write("point in time: close the site's", "DELETE /_pit", {"id": "<pit>"}, Outcome.CHANGED),
    _write("write: over the victim's document", f"PUT /<write>/_doc/{_DOCUMENT}", _TAKEN),
    _write("write: create", "PUT /<write>/_create/<victim tenant>:x?routing=<victim tenant>", _TAKEN),
    _write("write: by the read alias", f"PUT /<read>/_doc/{_DOCUMENT}", _TAKEN),
    _write("write: update", "POST /<write>/_update/<victim document>?routing=<victim tenant>", {"doc": _TAKEN}),
    _write(
        "write: by script",
        "POST /<write>/_update/<victim document>?routing=<victim tenant>",
        {"script": {"source": "ctx._source.turn = 'taken over'"}},
    ),
    _write("write: bulk", "POST /_bulk", [{"index": _META}, _TAKEN, {"delete": _META}]),
    _write("write: update by query", "POST /<write>/_update_by_query", {"query": _ALL}),
    _write("write: delete", f"DELETE /<write>/_doc/{_DOCUMENT}"),
    _write("write: delete by query", "POST /<write>/_delete_by_query", {"query": _ALL}),
    _write("write: reindex", "POST /_reindex", {"source": {"index": "<read>"}, "dest": {"index": "stolen"}}),
    _write("write: an index of one's own", "PUT /stolen/_doc/1", {"x": 1}),
]
