"""Every document of a tenant with its version, and every tenant with a document."""

from collections.abc import Iterator
from uuid import UUID

from elasticsearch import Elasticsearch

from backends.search import names
from backends.search.digests import Held
from backends.search.elasticsearch.client import translated

PAGE = 5_000
KEEP_ALIVE = "2m"


def scan(client: Elasticsearch, tenant_id: UUID, part: str, *, upcoming: bool) -> Iterator[Held]:
    """Yield what an index holds of a tenant, from one point in time, a page a request."""
    index = names.next_alias(part) if upcoming else names.read_alias(part)
    with translated():
        client.indices.refresh(index=index)
        point = client.open_point_in_time(index=index, keep_alive=KEEP_ALIVE, routing=str(tenant_id))["id"]
    try:
        after: list[int] | None = None
        while True:
            with translated():
                answer = client.search(
                    pit={"id": point, "keep_alive": KEEP_ALIVE},
                    query={"term": {"tenant_id": str(tenant_id)}},
                    sort=["_shard_doc"],
                    search_after=after,
                    size=PAGE,
                    version=True,
                    source=False,
                    track_total_hits=False,
                    allow_partial_search_results=False,
                )
            point, hits = answer["pit_id"], answer["hits"]["hits"]
            for hit in hits:
                yield UUID(str(hit["_id"]).rpartition(":")[2]), int(hit["_version"])
            if len(hits) < PAGE:
                return
            after = hits[-1]["sort"]
    finally:
        with translated():
            client.close_point_in_time(id=point)


def tenants(client: Elasticsearch, index: str) -> set[UUID]:
    """Return the tenants of the documents of all that a name stands for."""
    found: set[UUID] = set()
    after: dict[str, object] | None = None
    with translated():
        client.indices.refresh(index=index, ignore_unavailable=True)
        while True:
            by_tenant = {"size": 1_000, "sources": [{"tenant": {"terms": {"field": "tenant_id"}}}]}
            asked = by_tenant if after is None else {**by_tenant, "after": after}
            answer = client.search(
                index=index, size=0, aggs={"tenants": {"composite": asked}}, ignore_unavailable=True
            ).get("aggregations", {"tenants": {"buckets": []}})["tenants"]  # none without an index
            found |= {UUID(bucket["key"]["tenant"]) for bucket in answer["buckets"]}
            after = answer.get("after_key")
            if after is None:
                return found
