"""Probes of indexes, security and the cluster."""

from typing import Any

from backends.search.attack import Outcome
from backends.search.elasticsearch.attack.probe import Probe


def _read(name: str, call: str, body: Any = None, known: Outcome = Outcome.REFUSED) -> Probe:
    return Probe(name=name, call=call, body=body, known=known)


def _write(name: str, call: str, body: Any = None, known: Outcome = Outcome.REFUSED) -> Probe:
    return Probe(name=name, call=call, body=body, known=known, writes=True)


PROBES = [
    _read("index: mapping", "GET /<read>/_mapping"),
    _read("index: settings", "GET /<read>/_settings"),
    _read("index: aliases", "GET /_alias"),
    _read("index: its statistics", "GET /<read>/_stats"),
    _read("index: segments", "GET /<read>/_segments"),
    _read("index: shards to search", "GET /<read>/_search_shards"),
    _read("index: disk usage", "POST /<read>/_disk_usage?run_expensive_tasks=true"),
    _read("index: resolve names", "GET /_resolve/index/*"),
    _read("index: analyse", "POST /<index>/_analyze", {"text": "a"}),
    _write(
        "index: an alias without a filter",
        "POST /_aliases",
        {"actions": [{"add": {"index": "<index>", "alias": "mine"}}]},
    ),
    _write("index: another mapping", "PUT /<index>/_mapping", {"properties": {"x": {"type": "keyword"}}}),
    _write("index: close", "POST /<index>/_close"),
    _write("index: delete", "DELETE /<index>"),
    _write("index: refresh", "POST /<read>/_refresh"),
    _write("index: clone", "PUT /<index>/_clone/stolen"),
    _write("index: a template", "PUT /_index_template/mine", {"index_patterns": ["mneme-*"]}),
    _read("security: who am I", "GET /_security/_authenticate", known=Outcome.OWN),
    _read("security: all keys", "GET /_security/api_key"),
    _read("security: all users", "GET /_security/user"),
    _read("security: all roles", "GET /_security/role"),
    _write("security: another key", "POST /_security/api_key", {"name": "more"}, Outcome.REFUSED),
    _write("security: more rights", "PUT /_security/api_key/<own key>", {"role_descriptors": {}}),
    _write("security: revoke the victim's key", "DELETE /_security/api_key", {"ids": ["<victim key>"]}),
    _write("security: a role", "PUT /_security/role/mine", {"cluster": ["all"]}),
    _write("security: a user", "PUT /_security/user/mine", {"password": "long-enough-1", "roles": ["superuser"]}),
    _read("cluster: health", "GET /_cluster/health"),
    _read("cluster: state", "GET /_cluster/state"),
    _read("cluster: statistics", "GET /_cluster/stats"),
    _read("cluster: indices", "GET /_cat/indices"),
    Probe(name="cluster: count", call="GET /_cat/count/<read>", known=Outcome.OWN, numbers=("0.count",)),
    _read("cluster: nodes", "GET /_nodes"),
    _read("cluster: tasks", "GET /_tasks?detailed=true"),
    _read("cluster: hot threads", "GET /_nodes/hot_threads"),
    _write("cluster: settings", "PUT /_cluster/settings", {"transient": {"search.max_buckets": 10}}),
    _write("cluster: a stored script", "PUT /_scripts/mine", {"script": {"lang": "painless", "source": "1"}}),
    _write("cluster: a snapshot", "PUT /_snapshot/mine", {"type": "fs", "settings": {"location": "x"}}),
    _write("cluster: a pipeline", "PUT /_ingest/pipeline/mine", {"processors": []}),
    _read("cluster: licence", "GET /_license"),
]
