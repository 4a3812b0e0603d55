"""Parts: which indexes hold whose documents, and so on what the wall between tenants stands.

A part is the name that the aliases of one index are made of, see backends.search.names and generations. Two layouts:
one index a kind for all tenants, apart by document-level security; or one index a kind and tenant, apart by
privileges on indexes, which every licence has.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from elasticsearch import BadRequestError, Elasticsearch, NotFoundError

from backends.errors import Rejected, Unavailable
from backends.search import names
from backends.search.changes import IndexDefinition
from backends.search.elasticsearch.descriptors import PRIVILEGES
from backends.search.elasticsearch.generations import NOT_SET_UP
from backends.search.reach import Reach

_TAKEN = "resource_already_exists_exception"


class Parts(ABC):
    """One layout of the indexes.

    by_document: whether the engine itself looks at each document's tenant, subject and compartments.
    privileges: of tenants' keys.
    """

    by_document: bool

    def __init__(self, privileges: Sequence[str] = PRIVILEGES) -> None:
        self.privileges = tuple(privileges)

    @abstractmethod
    def of(self, kind: str, tenant_id: UUID) -> str:
        """Return the part that holds a tenant's documents of a kind."""

    @abstractmethod
    def all(self, client: Elasticsearch, kinds: Iterable[str]) -> list[str]:
        """Return every part of kinds that there is. Raises Unavailable, when nothing is set up."""

    @abstractmethod
    def pattern(self, kinds: Iterable[str]) -> str:
        """Return what stands for all indexes of kinds, in requests that ignore what is not there."""

    @abstractmethod
    def ensure(self, client: Elasticsearch, definition: IndexDefinition) -> None:
        """Create what is missing of a kind; where an index stands already, add the fields it lacks."""

    @abstractmethod
    def require(self, client: Elasticsearch, parts: Iterable[str]) -> dict[str, list[str]]:
        """Return the aliases to write each part to; what a layout makes on demand is made.

        Raises Unavailable, when nothing is set up.
        """

    @abstractmethod
    def beyond(self, reach: Reach) -> dict[str, Any]:
        """Return the query of all that a key of a reach must not see, as far as this layout can tell."""

    @abstractmethod
    def rights(self, client: Elasticsearch, reach: Reach) -> Mapping[str, Any]:
        """Return role_descriptors and metadata of a key for a reach.

        Raises Rejected, when anything would be empty; Unavailable, when an index is not there.
        """

    @abstractmethod
    def reach_in(self, stored: Mapping[str, Any]) -> Reach:
        """Return the reach of a key as the engine stores it. Raises Rejected, when it is none of ours."""

    @abstractmethod
    def begin_rebuild(self, client: Elasticsearch, definition: IndexDefinition) -> bool:
        """Begin the next generation of a kind."""

    @abstractmethod
    def forget(self, client: Elasticsearch, tenant_id: UUID) -> None:
        """Delete the indexes of a tenant that is gone, where it has its own."""

    def of_reach(self, reach: Reach) -> list[str]:
        """Return the parts of a reach."""
        return [self.of(kind, reach.tenant_id) for kind in reach.kinds]


def create(client: Elasticsearch, part: str, generation: int, definition: IndexDefinition | None) -> None:
    """Create the first index of a part behind its aliases; definition: None where a template has it."""
    described: Mapping[str, Any] = {}
    if definition is not None:
        described = {"mappings": dict(definition.mapping), "settings": dict(definition.settings)}
    try:
        client.indices.create(
            index=names.index_name(part, generation),
            aliases={names.read_alias(part): {}, names.write_alias(part): {"is_write_index": True}},
            wait_for_active_shards="1",
            **described,
        )
    except BadRequestError as error:
        if str(error.error) != _TAKEN:  # another process was quicker
            raise


def add_fields(client: Elasticsearch, part: str, definition: IndexDefinition) -> None:
    """Add the fields that an index lacks. Raises Rejected, when one it has must be made anew."""
    try:
        client.indices.put_mapping(index=names.write_alias(part), properties=definition.mapping["properties"])
    except BadRequestError as error:
        reason = f"{part}: its fields are an older version's and cannot be changed in place; run rebuild_index"
        raise Rejected(reason) from error


def concrete_indexes(client: Elasticsearch, parts: Sequence[str]) -> list[str]:
    """Return the indexes behind the read aliases of parts. Raises Unavailable, when one has none yet."""
    try:
        held = client.indices.get_alias(name=",".join(names.read_alias(part) for part in parts))
    except NotFoundError as error:
        raise Unavailable(NOT_SET_UP) from error
    return sorted(held)
