"""Role descriptors where each tenant has indexes of its own: rights on these, and no query.

Every licence has them. Which subject, compartments and fields a key is for cannot be said in them; it is kept in the
key's metadata, which its holder cannot change, so that it can be compared, but nothing there is enforced.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from backends.errors import Rejected
from backends.search import names
from backends.search.elasticsearch.descriptors import PRIVILEGES, ROLE, Descriptors
from backends.search.reach import Reach

_METADATA = "mneme_reach"


def index_descriptors(
    aliases: Sequence[str], indexes: Sequence[str], privileges: Sequence[str] = PRIVILEGES
) -> Descriptors:
    """Return the role descriptors of rights on a tenant's indexes. Raises Rejected, when there is none."""
    if not aliases or not indexes:
        raise Rejected("a credential needs indexes; run setup_search")
    listed = sorted({*aliases, *indexes})
    return {ROLE: {"cluster": [], "indices": [{"names": listed, "privileges": list(privileges)}]}}


def metadata_of(reach: Reach) -> dict[str, Any]:
    """Return what a key's metadata says of a reach."""
    return {
        _METADATA: {
            "tenant": str(reach.tenant_id),
            "subject": str(reach.subject_id) if reach.subject_id else None,
            "kinds": list(reach.kinds),
            "compartments": list(reach.compartments),
            "hidden_fields": list(reach.hidden_fields),
        }
    }


def reach_in_index(
    descriptors: Mapping[str, Any], metadata: Mapping[str, Any], privileges: Sequence[str] = PRIVILEGES
) -> Reach:
    """Return the reach of a stored key.

    Raises Rejected, when its descriptors are anything but one role with one entry, the reader's privileges and the
    indexes of the tenant and kinds that its metadata names.
    """
    reach = _reach_of(metadata)
    role = descriptors.get(ROLE, {})
    if list(descriptors) != [ROLE] or len(role.get("indices", [])) != 1:
        raise Rejected("the stored role is not the one asked for")
    entry: Mapping[str, Any] = role["indices"][0]
    more = {key for key, value in role.items() if value and key not in {"indices", "transient_metadata"}}
    more |= {key for key, value in entry.items() if value and key not in {"names", "privileges"}}
    if more or sorted(entry["privileges"]) != sorted(privileges):
        raise Rejected("the stored role has other rights than were asked for")
    aliases = {names.read_alias(names.tenant_part(kind, reach.tenant_id)) for kind in reach.kinds}
    indexes = set(entry["names"]) - aliases
    if not aliases <= set(entry["names"]) or not all(_is_behind(index, aliases) for index in indexes):
        raise Rejected("the stored role is on other indexes than those of the tenant")
    return reach


def _is_behind(index: str, aliases: set[str]) -> bool:
    alias, mark, number = index.rpartition("-v")
    return bool(mark) and number.isdigit() and alias in aliases


def _reach_of(metadata: Mapping[str, Any]) -> Reach:
    try:
        told = metadata[_METADATA]
        return Reach(
            tenant_id=UUID(told["tenant"]),
            subject_id=UUID(told["subject"]) if told["subject"] else None,
            kinds=tuple(told["kinds"]),
            compartments=tuple(told["compartments"]),
            hidden_fields=tuple(told["hidden_fields"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise Rejected("the stored key does not say whose it is") from error
