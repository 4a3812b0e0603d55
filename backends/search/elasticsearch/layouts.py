"""The two layouts of the indexes: one index a kind for all tenants, or one a kind and tenant."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from elasticsearch import Elasticsearch

from backends.errors import Rejected, Unavailable
from backends.search import names
from backends.search.changes import IndexDefinition
from backends.search.elasticsearch import generations
from backends.search.elasticsearch.descriptors import PRIVILEGES, descriptors_of, reach_in
from backends.search.elasticsearch.index_descriptors import index_descriptors, metadata_of, reach_in_index
from backends.search.elasticsearch.parts import Parts, add_fields, concrete_indexes, create
from backends.search.elasticsearch.queries import reach_filter, tenant_filter
from backends.search.reach import Reach


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
            add_fields(client, definition.kind, definition)
        else:
            create(client, definition.kind, definition.generation, definition)

    def require(self, client: Elasticsearch, parts: Iterable[str]) -> dict[str, list[str]]:
        """Return the aliases; setup_search makes them, nobody else."""
        return generations.targets(client, parts)

    def beyond(self, reach: Reach) -> dict[str, Any]:
        """Return what lies outside tenant, subject, compartments or kinds."""
        return {"bool": {"must_not": [{"bool": {"filter": reach_filter(reach)}}]}}

    def rights(self, client: Elasticsearch, reach: Reach) -> Mapping[str, Any]:
        """Return rights on the shared indexes, with a query."""
        return {"role_descriptors": descriptors_of(reach, concrete_indexes(client, reach.kinds), self.privileges)}

    def reach_in(self, stored: Mapping[str, Any]) -> Reach:
        """Read the query."""
        return reach_in(stored["role_descriptors"], self.privileges)

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
            add_fields(client, part, definition)

    def require(self, client: Elasticsearch, parts: Iterable[str]) -> dict[str, list[str]]:
        """Return the aliases; a tenant's first index is made here."""
        parts = list(parts)
        try:
            return generations.targets(client, parts)
        except Unavailable:
            self._require_templates(client, {part.partition("-")[0] for part in parts})
        for part in parts:
            if not client.indices.exists_alias(name=names.write_alias(part)):
                create(client, part, 1, None)
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
            "role_descriptors": index_descriptors(aliases, concrete_indexes(client, parts), self.privileges),
            "metadata": metadata_of(reach),
        }

    def reach_in(self, stored: Mapping[str, Any]) -> Reach:
        """Read the indexes, and the metadata."""
        return reach_in_index(stored["role_descriptors"], stored.get("metadata") or {}, self.privileges)

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
                raise Unavailable(generations.NOT_SET_UP)


def layout(isolation: str, privileges: Sequence[str] = PRIVILEGES) -> Parts:
    """Return the layout of an isolation: document or index. Raises Rejected for any other.

    privileges: what tenants' keys may do with the documents they reach.
    """
    layouts: Mapping[str, type[Parts]] = {"document": Shared, "index": PerTenant}
    if isolation not in layouts:
        raise Rejected(f"ISOLATION: is {isolation!r}; use document or index")
    return layouts[isolation](privileges)
