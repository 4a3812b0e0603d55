"""Every searched document: its index, and a row's body."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings

from backends.search import names
from backends.search.changes import Body, IndexDefinition
from backends.search.elasticsearch.analysis import analysis_settings
from backends.search.native import MEANING
from memories.documents import catalog, entity, episodic, procedural, relation, semantic
from memories.documents.searched import SearchedDocument

DOCUMENTS: Mapping[str, tuple[type[SearchedDocument], int]] = {
    names.EPISODIC: (episodic.EpisodicDocument, episodic.GENERATION),
    names.SEMANTIC: (semantic.SemanticDocument, semantic.GENERATION),
    names.PROCEDURAL: (procedural.ProceduralDocument, procedural.GENERATION),
    names.ENTITY: (entity.EntityDocument, entity.GENERATION),
    names.RELATION: (relation.RelationDocument, relation.GENERATION),
    names.CATALOG: (catalog.CatalogDocument, catalog.GENERATION),
}
"""Kind -> its document, and the generation of its index."""


UNMAKEABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What body_of raises when a fault of ours meets a row that brings it out."""


def definitions() -> list[IndexDefinition]:
    """Return the index of each kind."""
    return [definition(kind) for kind in DOCUMENTS]


def definition(kind: str) -> IndexDefinition:
    """Return a kind's index: strict mapping, tenant routing, one analyzer chain for all text."""
    document, generation = DOCUMENTS[kind]
    mapping = {**document._index.to_dict()["mappings"], "dynamic": "strict", "_routing": {"required": True}}
    if settings.ELASTICSEARCH_SEMANTIC:
        semantic = {"type": "semantic_text", "inference_id": settings.ELASTICSEARCH_SEMANTIC}
        mapping["properties"] = {**mapping["properties"], MEANING: semantic}
    return IndexDefinition(kind=kind, generation=generation, mapping=mapping, settings=analysis_settings())


def body_of(row: Any) -> Body:
    """Return the document of a row; the row is annotated with its `.embedding`."""
    document, _ = DOCUMENTS[row.kind]
    prepared: dict[str, Any] = document().prepare(row)
    body = {name: value for name, value in prepared.items() if value is not None}
    return {**body, MEANING: body["turn"]} if settings.ELASTICSEARCH_SEMANTIC else body
