"""Role descriptors: what a reach is in Elasticsearch's security, written and read in one place.

One descriptor with one indices entry. An empty descriptor would be all of the minting user's rights, and a second
entry without a query would lift document-level security, so neither can be written here.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from backends.errors import Rejected
from backends.search import names
from backends.search.base import Reach
from backends.search.elasticsearch.queries import reach_filter

ROLE = "mneme_reader"
PRIVILEGES = ["indices:data/read/search*", "indices:data/read/msearch*"]

Descriptors = dict[str, Any]


def descriptors_of(reach: Reach, indexes: Sequence[str]) -> Descriptors:
    """Return the role descriptors of a reach; indexes: concrete names behind the kinds' aliases.

    Raises Rejected, when anything would be empty.
    """
    listed = sorted({*(names.read_alias(kind) for kind in reach.kinds), *indexes})
    query = {"bool": {"filter": reach_filter(reach)}}
    if not indexes or not query["bool"]["filter"]:
        raise Rejected("a credential needs indexes and a query; run setup_search")
    return {
        ROLE: {
            "cluster": [],
            "indices": [{"names": listed, "privileges": PRIVILEGES, "query": query}],
        }
    }


def reach_in(descriptors: Mapping[str, Any]) -> Reach:
    """Return the reach that stored descriptors stand for.

    Raises Rejected, when they are anything but one role with one entry, the reader's privileges and a reach's query.
    """
    query = _only_entry(descriptors)["query"]
    clauses = (json.loads(query) if isinstance(query, str) else query)["bool"]["filter"]
    found: dict[str, list[str]] = {}
    for clause in clauses:
        ((verb, condition),) = clause.items()
        ((field, value),) = condition.items()
        found[field] = [value] if verb == "term" else list(value)
    subjects = [value for value in found.get("subject_id", []) if value != names.NONE]
    reach = Reach(
        tenant_id=UUID(found["tenant_id"][0]),
        subject_id=UUID(subjects[0]) if subjects else None,
        kinds=tuple(found["kind"]),
        compartments=tuple(value for value in found["compartments"] if value != names.NONE),
    )
    if clauses != reach_filter(reach):
        raise Rejected("the stored query is not that of a reach")
    return reach


def _only_entry(descriptors: Mapping[str, Any]) -> Mapping[str, Any]:
    role = descriptors.get(ROLE)
    if len(descriptors) != 1 or role is None or role.get("cluster") or len(role.get("indices", [])) != 1:
        raise Rejected("the stored role is not the one asked for")
    others = [key for key in ("applications", "run_as", "remote_indices", "remote_cluster") if role.get(key)]
    entry: Mapping[str, Any] = role["indices"][0]
    if others or sorted(entry["privileges"]) != sorted(PRIVILEGES) or not entry.get("query"):
        raise Rejected("the stored role has other rights than were asked for")
    return entry
