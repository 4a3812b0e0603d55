"""Parts: which indexes hold whose documents, and so on what the wall between tenants stands.

A part is the name that the aliases of one index are made of, see backends.search.names and generations. Two layouts:
one index a kind for all tenants, apart by document-level security; or one index a kind and tenant, apart by
privileges on indexes, which every licence has.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from elasticsearch import BadRequestError, Elasticsearch, NotFoundError

from backends.errors import Rejected, Unavailable
from backends.search import names
from backends.search.changes import IndexDefinition
from backends.search.elasticsearch import generations
from backends.search.elasticsearch.descriptors import descriptors_of, reach_in
from backends.search.elasticsearch.index_descriptors import index_descriptors, metadata_of, reach_in_index
from backends.search.elasticsearch.queries import reach_filter, tenant_filter
from backends.search.reach import Reach

_NOT_SET_UP = "Elasticsearch has no indexes yet; run setup_search"
_TAKEN = "resource_already_exists_exception"


class Parts(ABC):
    """One layout of the indexes.

    by_document: whether the engine itself looks at each document's tenant, subject and compartments.
    """

    by_document: bool

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


class Shared(Parts):
    """One index a kind, for all tenants."""

    by_document = True

    def of(self, kind: str, tenant_id: UUID) -> str:  # noqa: ARG002 - all tenants have the same
        """Return the kind itself."""
        return kind

    def all(self, client: Elasticsearch, kinds: Iterable[str]) -> list[str]:
        """Return the kinds."""
        return list(self.require(client, kinds))

    def pattern(self, kinds: Iterable[str]) -> str:
        """Return the aliases of all generations."""
        return generations.read_aliases(kinds)

    def ensure(self, client: Elasticsearch, definition: IndexDefinition) -> None:
        """Create the index behind its aliases."""
        if client.indices.exists_alias(name=names.read_alias(definition.kind)):
            client.indices.put_mapping(
                index=names.write_alias(definition.kind), properties=definition.mapping["properties"]
            )
        else:
            _create(client, definition.kind, definition.generation, definition)

    def require(self, client: Elasticsearch, parts: Iterable[str]) -> dict[str, list[str]]:
        """Return the aliases; setup_search makes them, nobody else."""
        return generations.targets(client, parts)

    def beyond(self, reach: Reach) -> dict[str, Any]:
        """Return what lies outside tenant, subject, compartments or kinds."""
        return {"bool": {"must_not": [{"bool": {"filter": reach_filter(reach)}}]}}

    def rights(self, client: Elasticsearch, reach: Reach) -> Mapping[str, Any]:
        """Return rights on the shared indexes, with a query."""
        return {"role_descriptors": descriptors_of(reach, concrete_indexes(client, reach.kinds))}

    def reach_in(self, stored: Mapping[str, Any]) -> Reach:
        """Read the query."""
        return reach_in(stored["role_descriptors"])

    def begin_rebuild(self, client: Elasticsearch, definition: IndexDefinition) -> bool:
        """Begin the one next generation."""
        return generations.begin(client, definition)

    def forget(self, client: Elasticsearch, tenant_id: UUID) -> None:
        """Do nothing: a tenant has no index of its own."""


class PerTenant(Parts):
    """One index a kind and tenant, made on the tenant's first write or first key from the kind's template."""

    by_document = False

    def of(self, kind: str, tenant_id: UUID) -> str:
        """Return the tenant's part."""
        return names.tenant_part(kind, tenant_id)

    def all(self, client: Elasticsearch, kinds: Iterable[str]) -> list[str]:
        """Return the parts whose aliases are there."""
        kinds = list(kinds)
        self._require_templates(client, kinds)
        pattern = re.compile(rf"mneme-((?:{'|'.join(kinds)})-t[0-9a-f]{{32}})")
        held = client.indices.get_alias(name="mneme-*")
        aliases = {alias for index in held.values() for alias in index["aliases"]}
        return sorted(match[1] for alias in aliases if (match := pattern.fullmatch(alias)))

    def pattern(self, kinds: Iterable[str]) -> str:
        """Return a pattern a kind: the names of all would be too long for a URL."""
        return ",".join(f"{names.read_alias(kind)}-t*" for kind in kinds)

    def ensure(self, client: Elasticsearch, definition: IndexDefinition) -> None:
        """Store the template, and add the fields that tenants' indexes lack."""
        self._put_template(client, definition)
        for part in self.all(client, [definition.kind]):
            client.indices.put_mapping(index=names.write_alias(part), properties=definition.mapping["properties"])

    def require(self, client: Elasticsearch, parts: Iterable[str]) -> dict[str, list[str]]:
        """Return the aliases; a tenant's first index is made here."""
        parts = list(parts)
        try:
            return generations.targets(client, parts)
        except Unavailable:
            self._require_templates(client, {part.partition("-")[0] for part in parts})
        for part in parts:
            if not client.indices.exists_alias(name=names.write_alias(part)):
                _create(client, part, 1, None)
        return generations.targets(client, parts)

    def beyond(self, reach: Reach) -> dict[str, Any]:
        """Return what lies outside the tenant: nothing in an index tells one subject's key from another's."""
        inside = [*tenant_filter(reach.tenant_id), {"terms": {"kind": list(reach.kinds)}}]
        return {"bool": {"must_not": [{"bool": {"filter": inside}}]}}

    def rights(self, client: Elasticsearch, reach: Reach) -> Mapping[str, Any]:
        """Return rights on the tenant's indexes, which are made if they are not there."""
        parts = self.of_reach(reach)
        self.require(client, parts)
        aliases = [names.read_alias(part) for part in parts]
        return {
            "role_descriptors": index_descriptors(aliases, concrete_indexes(client, parts)),
            "metadata": metadata_of(reach),
        }

    def reach_in(self, stored: Mapping[str, Any]) -> Reach:
        """Read the indexes, and the metadata."""
        return reach_in_index(stored["role_descriptors"], stored.get("metadata") or {})

    def begin_rebuild(self, client: Elasticsearch, definition: IndexDefinition) -> bool:
        """Begin the next generation of every tenant's; from now on a new tenant has the new mapping at once."""
        self._put_template(client, definition)
        made = [
            generations.begin(
                client,
                IndexDefinition(kind=part, generation=1, mapping=definition.mapping, settings=definition.settings),
            )
            for part in self.all(client, [definition.kind])
        ]
        return any(made)

    def forget(self, client: Elasticsearch, tenant_id: UUID) -> None:
        """Delete all generations of the tenant's indexes."""
        for kind in names.KINDS:
            index = f"{names.read_alias(self.of(kind, tenant_id))}-v*"
            found: Sequence[str] = list(client.indices.get(index=index))
            if found:
                client.indices.delete(index=found, ignore_unavailable=True)

    def _put_template(self, client: Elasticsearch, definition: IndexDefinition) -> None:
        client.indices.put_index_template(
            name=names.read_alias(definition.kind),
            index_patterns=[f"{names.read_alias(definition.kind)}-t*"],
            priority=500,
            template={"mappings": dict(definition.mapping), "settings": dict(definition.settings)},
        )

    def _require_templates(self, client: Elasticsearch, kinds: Iterable[str]) -> None:
        for kind in kinds:
            if not client.indices.exists_index_template(name=names.read_alias(kind)):
                raise Unavailable(_NOT_SET_UP)


def _create(client: Elasticsearch, part: str, generation: int, definition: IndexDefinition | None) -> None:
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


def concrete_indexes(client: Elasticsearch, parts: Sequence[str]) -> list[str]:
    """Return the indexes behind the read aliases of parts. Raises Unavailable, when one has none yet."""
    try:
        held = client.indices.get_alias(name=",".join(names.read_alias(part) for part in parts))
    except NotFoundError as error:
        raise Unavailable(_NOT_SET_UP) from error
    return sorted(held)


def layout(isolation: str) -> Parts:
    """Return the layout of an isolation: document or index. Raises Rejected for any other."""
    layouts: Mapping[str, type[Parts]] = {"document": Shared, "index": PerTenant}
    if isolation not in layouts:
        raise Rejected(f"ISOLATION: is {isolation!r}; use document or index")
    return layouts[isolation]()
