"""Role descriptors: what a reach is in Elasticsearch's security, written and read in one place.

One descriptor with one indices entry. An empty descriptor would be all of the minting user's rights, and a second
entry without a query would lift document-level security, so neither can be written here.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from backends.errors import Rejected
from backends.search import names
from backends.search.elasticsearch.queries import reach_filter
from backends.search.reach import HIDEABLE_FIELDS, Reach

ROLE = "mneme_reader"
PRIVILEGES = ("indices:data/read/search*", "indices:data/read/msearch*")
FUSION_PRIVILEGES = (*PRIVILEGES, "indices:data/read/open_point_in_time", "indices:data/read/open_reader_context")
"""The same, and what the engine's own retrievers stand on that combine others: points in time."""

_ENTRY = frozenset({"names", "privileges", "query", "field_security"})

Descriptors = dict[str, Any]


def descriptors_of(reach: Reach, indexes: Sequence[str], privileges: Sequence[str] = PRIVILEGES) -> Descriptors:
    """Return the role descriptors of a reach; indexes: concrete names behind the kinds' aliases.

    Raises Rejected, when anything would be empty.
    """
    listed = sorted({*(names.read_alias(kind) for kind in reach.kinds), *indexes})
    query = _query(reach)
    if not indexes or not query["bool"]["filter"]:
        raise Rejected("a credential needs indexes and a query; run setup_search")
    entry = {"names": listed, "privileges": list(privileges), "query": query}
    if reach.hidden_fields:
        entry["field_security"] = _field_security(reach.hidden_fields)
    return {ROLE: {"cluster": [], "indices": [entry]}}


def reach_in(descriptors: Mapping[str, Any], privileges: Sequence[str] = PRIVILEGES) -> Reach:
    """Return the reach that stored descriptors stand for.

    Raises Rejected, when they are anything but one role with one entry, these privileges, a reach's query and
    hidden fields, and the indexes of its kinds.
    """
    entry = _only_entry(descriptors, privileges)
    query = json.loads(entry["query"]) if isinstance(entry["query"], str) else entry["query"]
    reach = replace(_reach_of(query), hidden_fields=_hidden_in(entry.get("field_security")))
    if query != _query(reach) or not _are_of(entry["names"], reach.kinds):
        raise Rejected("the stored role is not that of a reach")
    return reach


def _only_entry(descriptors: Mapping[str, Any], privileges: Sequence[str]) -> Mapping[str, Any]:
    """Return the indices entry. What else the engine stores must be empty, whatever a later version calls it."""
    role = descriptors.get(ROLE, {})
    if list(descriptors) != [ROLE] or len(role.get("indices", [])) != 1:
        raise Rejected("the stored role is not the one asked for")
    entry: Mapping[str, Any] = role["indices"][0]
    more = {key for key, value in role.items() if value and key not in {"indices", "transient_metadata"}}
    more |= {key for key, value in entry.items() if value and key not in _ENTRY}
    if more or sorted(entry["privileges"]) != sorted(privileges) or not entry.get("query"):
        raise Rejected("the stored role has other rights than were asked for")
    return entry


def _field_security(hidden: Sequence[str]) -> dict[str, list[str]]:
    """Return field-level security that leaves fields out, each with its sub-fields."""
    return {"grant": ["*"], "except": [f"{field}*" for field in hidden]}


def _hidden_in(stored: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Return the fields that stored field-level security hides; raise Rejected, when it is not of ours."""
    if not stored:
        return ()
    hidden = tuple(sorted(str(field).removesuffix("*") for field in stored.get("except", ())))
    if not hidden or not HIDEABLE_FIELDS.issuperset(hidden) or stored != _field_security(hidden):
        raise Rejected("the stored role hides other fields than can be hidden")
    return hidden


def _query(reach: Reach) -> dict[str, Any]:
    return {"bool": {"filter": reach_filter(reach)}}


def _reach_of(query: Mapping[str, Any]) -> Reach:
    found: dict[str, list[str]] = {}
    try:
        for clause in query["bool"]["filter"]:
            ((verb, condition),) = clause.items()
            ((field, value),) = condition.items()
            found[field] = [value] if verb == "term" else list(value)
        subjects = [value for value in found.get("subject_id", []) if value != names.NONE]
        return Reach(
            tenant_id=UUID(found["tenant_id"][0]),
            subject_id=UUID(subjects[0]) if subjects else None,
            kinds=tuple(found["kind"]),
            compartments=tuple(value for value in found["compartments"] if value != names.NONE),
        )
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise Rejected("the stored query is not that of a reach") from error


def _are_of(listed: Sequence[str], kinds: Sequence[str]) -> bool:
    """Say whether names are the kinds' aliases, all of them, and else only indexes behind these."""
    aliases = {names.read_alias(kind) for kind in kinds}
    indexes = set(listed) - aliases
    return aliases <= set(listed) and all(
        any(re.fullmatch(rf"{re.escape(alias)}-v[0-9]+", index) for alias in aliases) for index in indexes
    )
