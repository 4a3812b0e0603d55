"""Elasticsearch as a SearchEngine."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from backends.search import names
from backends.search.attack import Finding, Target
from backends.search.base import Answer, Query, SearchEngine
from backends.search.changes import Change, IndexDefinition, Outcome
from backends.search.digests import Held
from backends.search.elasticsearch import generations, keys, queries, scanning
from backends.search.elasticsearch.attack.run import attack
from backends.search.elasticsearch.client import connected, raise_for, translated
from backends.search.elasticsearch.descriptors import FUSION_PRIVILEGES, PRIVILEGES
from backends.search.elasticsearch.layouts import layout
from backends.search.elasticsearch.licence import isolation_faults
from backends.search.elasticsearch.own import Own
from backends.search.elasticsearch.search import search
from backends.search.elasticsearch.times import Clause
from backends.search.elasticsearch.writing import write
from backends.search.native import NOTHING, RRF, SEMANTIC, Capabilities, Native
from backends.search.reach import Credential, HeldCredential, Reach

EXPUNGE_TIMEOUT_S = 3_600.0
"""Merging rewrites every segment that holds a removed document."""


class ElasticsearchEngine(SearchEngine):
    """Search in Elasticsearch, under API keys that see only what they reach.

    isolation: document (one index a kind, document-level security) or index (an index a kind and tenant, which every
    licence allows; between the users of a tenant the engine is then no wall).

    url: with the credentials of a user (a key could not mint keys). Searches go through the same connections, each
    with its caller's own key.
    """

    name = "elasticsearch"
    visible_after_s = 2.0

    def __init__(self, url: str, *, isolation: str = "document", native: Native = NOTHING) -> None:
        self._client = connected(url)
        self._parts = layout(isolation, FUSION_PRIVILEGES if native.fusion else PRIVILEGES)
        self.native = native
        self._own = Own(self._client, native, self._parts)
        # Credentials are kept by engine, and these have other rights.
        self.name += ("" if self._parts.by_document else "-index") + ("-native" if native.fusion else "")

    def capabilities(self) -> Capabilities:
        """Return what the probe found; run once a process."""
        return self._own.found()

    def rerank(self, question: str, texts: Sequence[str]) -> list[float]:
        """Ask the inference endpoint."""
        return self._own.rerank(question, texts)

    def ensure(self, definitions: Sequence[IndexDefinition]) -> None:
        """Create each kind's index behind its aliases; where one stands already, add the fields it lacks."""
        with translated():
            for definition in definitions:
                self._parts.ensure(self._client, self._own.of(definition))

    def ping(self) -> None:
        """Return when every kind's alias is there."""
        with translated():
            self._parts.all(self._client, names.KINDS)

    def apply(self, changes: Sequence[Change]) -> list[Outcome]:
        """Send one bulk request with external versions."""
        if not changes:
            return []
        with translated():
            parts = [self._parts.of(change.kind, change.tenant_id) for change in changes]
            to = self._parts.require(self._client, {*parts})
            return write(self._client, changes, parts=parts, to=to, meaning=self._own.works(SEMANTIC))

    def versions(self, tenant_id: UUID, kind: str, ids: Sequence[UUID], *, upcoming: bool = False) -> dict[UUID, int]:
        """Return the versions held, read in real time."""
        if not ids:
            return {}
        part = self._parts.of(kind, tenant_id)
        index = names.next_alias(part) if upcoming else names.write_alias(part)
        wanted = [{"_id": names.document_id(tenant_id, object_id), "routing": str(tenant_id)} for object_id in ids]
        with translated():
            found = self._client.mget(index=index, docs=wanted, source=False)["docs"]
        for item in found:
            raise_for(item)
        pairs = zip(ids, found, strict=True)
        return {object_id: int(item["_version"]) for object_id, item in pairs if item.get("found")}

    def scan(self, tenant_id: UUID, kind: str, *, upcoming: bool = False) -> Iterator[Held]:
        """Yield what an index holds of a tenant, from one point in time."""
        part = self._parts.of(kind, tenant_id)
        with translated():
            self._parts.all(self._client, [kind])
            if not self._client.indices.exists_alias(name=names.read_alias(part)):
                return iter(())  # a tenant that has no index yet
        return scanning.scan(self._client, tenant_id, part, upcoming=upcoming)

    def tenants(self, kind: str) -> set[UUID]:
        """Return the tenants of a kind's documents."""
        return scanning.tenants(self._client, self._parts.pattern([kind]))

    def highest_version(self) -> int:
        """Return the highest version of all documents, looked at one by one: versions are not aggregated."""
        held = (self.scan(tenant_id, kind) for kind in names.KINDS for tenant_id in self.tenants(kind))
        return max((version for pairs in held for _, version in pairs), default=0)

    def begin_rebuild(self, definition: IndexDefinition) -> bool:
        """Create the next index of a kind."""
        with translated():
            return self._parts.begin_rebuild(self._client, self._own.of(definition))

    def backfill(self, changes: Sequence[Change]) -> list[Outcome]:
        """Write to the next index only."""
        with translated():
            parts = [self._parts.of(change.kind, change.tenant_id) for change in changes]
            to = {part: [names.next_alias(part)] for part in parts}
            return write(self._client, changes, parts=parts, to=to, meaning=self._own.works(SEMANTIC))

    def swap(self, kind: str) -> None:
        """Move the aliases."""
        with translated():
            for part in self._parts.all(self._client, [kind]):
                generations.swap(self._client, part)

    def drop_old(self, kind: str) -> bool:
        """Delete the index that was searched before."""
        with translated():
            parts = self._parts.all(self._client, [kind])
            return sum(generations.drop_old(self._client, part) for part in parts) > 0

    def search(self, query: Query, *, using: Credential) -> Answer:
        """Run the legs in one multi-search, then fill in what each leg does not know in a second one."""
        indexes = [names.read_alias(part) for part in self._parts.of_reach(query.reach)]
        meaning = self._own.meaning(query.text)
        client = self._client.options(api_key=using.secret)
        answer = search(client, query, indexes=indexes, meaning=meaning, native=self._own.works(RRF))
        return replace(answer, missing=("semantic",)) if self.native.semantic and meaning is None else answer

    def count(self, reach: Reach) -> int:
        """Return how many documents stand in a reach, after a refresh."""
        index = ",".join(names.read_alias(part) for part in self._parts.of_reach(reach))
        self.ping()
        return self._counted(index, queries.reach_filter(reach), some=not self._parts.by_document)

    def count_of_subject(self, tenant_id: UUID, subject_id: UUID) -> int:
        """Return how many documents of a subject stand in all indexes, also one that is being built or kept."""
        self.ping()
        parts = [self._parts.of(kind, tenant_id) for kind in names.KINDS]
        return self._counted(
            generations.read_aliases(parts), queries.subject_filter(tenant_id, subject_id), some=True
        )

    def count_of_tenant(self, tenant_id: UUID) -> int:
        """Return how many documents of a tenant stand in all indexes, also one that is being built or kept."""
        self.ping()
        parts = [self._parts.of(kind, tenant_id) for kind in names.KINDS]
        return self._counted(generations.read_aliases(parts), queries.tenant_filter(tenant_id), some=True)

    def purge(self, tenant_id: UUID) -> None:
        """Delete the tenant's own indexes, and what is its in others, of every generation, by query."""
        patient = self._client.options(request_timeout=EXPUNGE_TIMEOUT_S)
        with translated():
            self._parts.forget(patient, tenant_id)
            patient.delete_by_query(
                index=[f"{names.read_alias(kind)}-v*" for kind in names.KINDS],
                query={"bool": {"filter": queries.tenant_filter(tenant_id)}},
                routing=str(tenant_id),
                conflicts="proceed",
                refresh=True,
                wait_for_completion=True,
            )

    def _counted(self, index: str, clauses: list[Clause], *, some: bool = False) -> int:
        """Count, after a refresh. some: indexes that are not there are passed over."""
        with translated():
            self._client.indices.refresh(index=index, ignore_unavailable=some)
            query = {"bool": {"filter": clauses}}
            return int(self._client.count(index=index, query=query, ignore_unavailable=some)["count"])

    def expunge(self) -> None:
        """Flush the transaction logs and merge the segments that hold removed documents."""
        self.ping()
        index = self._parts.pattern(names.KINDS)
        patient = self._client.options(request_timeout=EXPUNGE_TIMEOUT_S)
        with translated():
            patient.indices.flush(index=index, wait_if_ongoing=True, ignore_unavailable=True)
            patient.indices.forcemerge(index=index, only_expunge_deletes=True, ignore_unavailable=True)
            patient.indices.flush(index=index, wait_if_ongoing=True, force=True, ignore_unavailable=True)

    def refresh(self) -> None:
        """Refresh every kind's index."""
        with translated():
            self._client.indices.refresh(index=self._parts.pattern(names.KINDS), ignore_unavailable=True)

    def grant(self, reach: Reach, *, name: str, expires_at: datetime) -> Credential:
        """Mint an API key with document-level security."""
        with translated():
            return keys.mint(self._client, self._parts, reach, name=name, expires_at=expires_at)

    def reach_of(self, credential_id: str) -> Reach | None:
        """Return the reach in a live key's stored role descriptor."""
        with translated():
            return keys.stored_reach(self._client, self._parts, credential_id)

    def credentials(self) -> Iterator[HeldCredential]:
        """Yield the API keys that this user has minted."""
        with translated():
            yield from keys.held_keys(self._client, self._parts)

    def revoke(self, credential_ids: Sequence[str]) -> None:
        """Invalidate API keys until the engine confirms each."""
        with translated():
            keys.revoke(self._client, credential_ids)

    def attack(self, target: Target, *, using: Credential, victim_key: str) -> list[Finding]:
        """Send raw requests under the key."""
        own = self.count(target.reach)
        with translated():
            return attack(self._client, self._parts, target, using=using, victim_key=victim_key, own=own)

    def isolation_faults(self) -> list[str]:
        """Compare the layout with what the cluster's licence allows."""
        with translated():
            return isolation_faults(self._client, by_document=self._parts.by_document)
