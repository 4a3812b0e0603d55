"""The searched document of an episodic memory: mapping and prepare, nothing else of django-elasticsearch-dsl."""

from typing import Any

from django_elasticsearch_dsl import Document, fields
from django_elasticsearch_dsl.registries import registry

from backends.search import names
from backends.search.base import Body, IndexDefinition
from backends.search.elasticsearch.analysis import INDEX_ANALYZER, SEARCH_ANALYZER, analysis_settings
from memories.documents.fields import DenseVectorField
from memories.documents.searched_text import searched_text
from memories.lines import dated
from memories.models import Memory

GENERATION = 1
DIMENSIONS = 384


@registry.register_document  # without it prepare() is empty
class EpisodicDocument(Document):  # type: ignore[misc]
    """One user turn as it is searched. The site's sync writes it; its autosync and signals are off."""

    tenant_id = fields.KeywordField()
    subject_id = fields.KeywordField()
    kind = fields.KeywordField()
    session_id = fields.KeywordField()
    agent_id = fields.KeywordField()
    author = fields.KeywordField()
    compartments = fields.KeywordField()
    position = fields.IntegerField()
    turn = fields.TextField(analyzer=INDEX_ANALYZER, search_analyzer=SEARCH_ANALYZER)
    window = fields.TextField(analyzer=INDEX_ANALYZER, search_analyzer=SEARCH_ANALYZER)
    valid_from = fields.DateField()
    valid_to = fields.DateField()
    embedding = DenseVectorField(
        dims=DIMENSIONS, index=True, similarity="cosine", index_options={"type": "int8_hnsw"}
    )

    class Index:
        """The concrete index; searches and sync go through its aliases."""

        name = names.index_name(names.EPISODIC, GENERATION)

    class Django:
        """The row it is made of."""

        model = Memory

    def prepare_tenant_id(self, memory: Memory) -> str:
        """Return the tenant, on which the engine's document-level security stands."""
        return str(memory.tenant_id)

    def prepare_subject_id(self, memory: Memory) -> str:
        """Return the subject, or the reserved value of shared memories."""
        return str(memory.subject_id) if memory.subject_id else names.NONE

    def prepare_kind(self, memory: Memory) -> str:
        """Return the memory kind."""
        return memory.memory_type

    def prepare_session_id(self, memory: Memory) -> str | None:
        """Return our id of the session."""
        return str(memory.session_id) if memory.session_id else None

    def prepare_compartments(self, memory: Memory) -> list[str]:
        """Return the compartments, or the reserved value of memories without one."""
        return list(memory.compartments) or [names.NONE]

    def prepare_position(self, memory: Memory) -> int | None:
        """Return the turn's place in its session."""
        return memory.turn.position if memory.turn else None

    def prepare_turn(self, memory: Memory) -> str:
        """Return date, speaker and words."""
        return searched_text(memory)

    def prepare_window(self, memory: Memory) -> str:
        """Return date and the lines around the turn."""
        return dated(memory.context, memory.valid_from)

    def prepare_valid_from(self, memory: Memory) -> str:
        """Return the start of validity in UTC."""
        return memory.valid_from.isoformat()

    def prepare_valid_to(self, memory: Memory) -> str | None:
        """Return the end of validity in UTC, null = open."""
        return memory.valid_to.isoformat() if memory.valid_to else None

    def prepare_embedding(self, memory: Any) -> list[float] | None:
        """Return the vector that the row was annotated with."""
        return None if memory.embedding is None else [float(x) for x in memory.embedding]


def body_of(memory: Memory) -> Body:
    """Return the document of a memory; the row is annotated with its `.embedding`."""
    prepared: dict[str, Any] = EpisodicDocument().prepare(memory)
    return {name: value for name, value in prepared.items() if value is not None}


def definition() -> IndexDefinition:
    """Return the index of episodic memories: strict mapping, tenant routing, one analyzer chain for all text."""
    mapping = {
        **EpisodicDocument._index.to_dict()["mappings"],
        "dynamic": "strict",
        "_routing": {"required": True},
    }
    return IndexDefinition(kind=names.EPISODIC, generation=GENERATION, mapping=mapping, settings=analysis_settings())
