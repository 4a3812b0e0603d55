"""Probe: which of Elasticsearch's own features work here, each run from end to end on a small index of its own.

A licence, a missing module, an endpoint whose model is away: only trying tells. What a search would use is tried with
a key that has the rights of tenants' keys.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from elasticsearch import ApiError, Elasticsearch

from backends.errors import BackendError, Rejected
from backends.search.elasticsearch.descriptors import ROLE
from backends.search.elasticsearch.inference import embedded, reranked
from backends.search.native import RERANK, RERANK_RETRIEVER, RRF, SEMANTIC, Capabilities, Native

KEY_LIFE = "5m"
MINE, THEIRS = "mine", "theirs"
"""Two tenants of the scratch index; the reader is the first one's."""
_OTTER, _HERON = "the otter swims", "a heron stands in the reeds"


def probe(client: Elasticsearch, native: Native, *, by_document: bool, privileges: Sequence[str]) -> Capabilities:
    """Try each feature; those of an endpoint only where one is named.

    by_document, privileges: as of tenants' keys. Raises ApiError or TransportError, when the engine cannot be tried.
    """
    held = client.license.get()["license"]
    faults: dict[str, str] = {}
    tries: dict[str, Callable[[], None]] = {}
    with _scratch(client, native) as index, _reader(client, index, privileges, by_document=by_document) as reader:
        tries[RRF] = lambda: _try_rrf(reader, index)
        if native.semantic:
            tries[SEMANTIC] = lambda: _try_semantic(client, reader, index, native.semantic)
        if native.rerank:
            tries[RERANK] = lambda: _try_rerank(client, native.rerank)
            tries[RERANK_RETRIEVER] = lambda: _try_retriever(client, index, native.rerank)
        for feature, attempt in tries.items():
            try:
                attempt()
            except ApiError as error:
                faults[feature] = _reason(error)
            except BackendError as error:
                faults[feature] = str(error)
    return Capabilities(
        licence=str(held["type"]) if held["status"] == "active" else f"{held['type']}, {held['status']}",
        found=frozenset(tries.keys() - faults.keys()),
        faults=faults,
        untried=tuple(feature for feature in (SEMANTIC, RERANK) if feature not in tries),
    )


@contextmanager
def _scratch(client: Elasticsearch, native: Native) -> Iterator[str]:
    """Make an index for the block, with a document of each tenant."""
    index = f"mneme-scratch-{uuid4().hex}"
    properties: dict[str, Any] = {"tenant_id": {"type": "keyword"}, "turn": {"type": "text"}}
    if native.semantic:
        properties["meaning"] = {"type": "semantic_text", "inference_id": native.semantic}
    settings = {"number_of_shards": 1, "auto_expand_replicas": "0-1"}
    client.indices.create(index=index, mappings={"dynamic": "strict", "properties": properties}, settings=settings)
    try:
        for tenant, text in ((MINE, _OTTER), (THEIRS, _HERON)):
            client.index(index=index, id=tenant, document={"tenant_id": tenant, "turn": text}, refresh=True)
        yield index
    finally:
        client.indices.delete(index=index, ignore_unavailable=True)


@contextmanager
def _reader(
    client: Elasticsearch, index: str, privileges: Sequence[str], *, by_document: bool
) -> Iterator[Elasticsearch]:
    """Hold a key for the block, as a tenant's key is."""
    entry: dict[str, Any] = {"names": [index], "privileges": list(privileges)}
    if by_document:
        entry["query"] = {"bool": {"filter": _filter()}}
    made = client.security.create_api_key(
        name="mneme-probe",
        expiration=KEY_LIFE,
        refresh="true",
        role_descriptors={ROLE: {"cluster": [], "indices": [entry]}},
    )
    try:
        yield client.options(api_key=str(made["encoded"]))
    finally:
        client.security.invalidate_api_key(ids=[str(made["id"])])


def _filter() -> list[dict[str, Any]]:
    return [{"term": {"tenant_id": MINE}}]


def _try_rrf(reader: Elasticsearch, index: str) -> None:
    leg = {"standard": {"query": {"bool": {"must": [{"match": {"turn": "otter"}}], "filter": _filter()}}}}
    _expect(reader.search(index=index, retriever={"rrf": {"retrievers": [{"retriever": leg, "weight": 1.0}, leg]}}))


def _try_semantic(client: Elasticsearch, reader: Elasticsearch, index: str, endpoint: str) -> None:
    """Ingest under an external version, then search by a vector of the same endpoint, the filter inside."""
    for tenant, text in ((MINE, _OTTER), (THEIRS, _HERON)):
        document = {"tenant_id": tenant, "turn": text, "meaning": text}
        client.index(index=index, id=tenant, document=document, version=9, version_type="external", refresh=True)
    vector = embedded(client, endpoint, _HERON)
    knn = {"field": "meaning", "query_vector": vector, "k": 2, "num_candidates": 10, "filter": _filter()}
    _expect(reader.search(index=index, query={"knn": knn}))


def _try_rerank(client: Elasticsearch, endpoint: str) -> None:
    reranked(client, endpoint, "otter", [_OTTER, _HERON])


def _try_retriever(client: Elasticsearch, index: str, endpoint: str) -> None:
    """Ask under the site's own credential: it opens a point in time, to which tenants' keys have no right."""
    inner = {"standard": {"query": {"bool": {"filter": _filter()}}}}
    asked = {"retriever": inner, "field": "turn", "inference_id": endpoint, "inference_text": "otter"}
    _expect(client.search(index=index, retriever={"text_similarity_reranker": asked}))


def _expect(answer: Any) -> None:
    """Raise Rejected, unless the one document of the tenant was found."""
    found = [hit["_id"] for hit in answer["hits"]["hits"]]
    if found != [MINE]:
        raise Rejected(f"it answered with {len(found)} documents, not the one that it was asked for")


def _reason(error: ApiError) -> str:
    """Return why the engine refused, in its own words; the texts of the scratch index are ours."""
    body: Any = error.body
    causes = body.get("error", {}).get("root_cause", []) if isinstance(body, dict) else []
    said = str(causes[0].get("reason", "")) if causes else ""
    if "open_point_in_time" in said:
        return "a tenant's key has no right to open a point in time, on which it stands"
    return f"{error.meta.status} {said or error.error}"[:300]
