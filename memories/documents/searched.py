"""What the documents of all kinds have in common: mapping and prepare, nothing else of django-elasticsearch-dsl."""

from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django_elasticsearch_dsl import Document, fields
from elasticsearch.dsl import Integer, Keyword, Long

from backends.embedders.packing import unpack
from backends.search import names
from backends.search.facets import filterable
from memories.documents.facts import facts
from memories.documents.fields import SearchedTextField, vector_field
from memories.documents.searched_text import is_archived, searched_text, window_text

DIMENSIONS: int = settings.EMBEDDER_DIMENSIONS
"""Of the vectors; another embedder with other dimensions needs new indexes."""
ALWAYS = datetime(1, 1, 1, tzinfo=UTC)
"""The start of validity of what has none: entities, and the catalog."""


class SearchedDocument(Document):  # type: ignore[misc]
    """One row as it is searched. The site's sync writes it; the library's autosync and signals are off."""

    tenant_id = fields.KeywordField()
    subject_id = fields.KeywordField()
    kind = fields.KeywordField()
    session_id = fields.KeywordField()
    agent_id = fields.KeywordField()
    author = fields.KeywordField()
    compartments = fields.KeywordField()
    turn = SearchedTextField()
    window = SearchedTextField()
    turn_length = Integer()  # the engine's writer fills these two in
    window_length = Integer()
    valid_from = fields.DateField()
    valid_to = fields.DateField()
    accepted_at = fields.DateField()
    closed_at = fields.DateField()
    ended_at = fields.DateField()
    expires_at = fields.DateField()
    superseded = fields.BooleanField()
    # What is filtered by; these take no part in the library's prepare, backends.search.facets makes them all.
    facets = Keyword()
    category = Keyword()
    confidence = Keyword()
    importance = Keyword()
    metadata = Keyword()
    tags = Keyword()
    valid_from_us = Long()
    valid_to_us = Long()
    recorded_us = Long()
    expires_us = Long()
    embedding = vector_field(DIMENSIONS)
    passages = fields.NestedField(properties={names.VECTOR: vector_field(DIMENSIONS)})

    def prepare(self, instance: Any) -> dict[str, Any]:
        """Return the document of a row."""
        return {**super().prepare(instance), **filterable(facts(instance))}

    def prepare_tenant_id(self, row: Any) -> str:
        """Return the tenant, on which the engine's document-level security stands."""
        return str(row.tenant_id)

    def prepare_subject_id(self, row: Any) -> str:
        """Return the subject, or the reserved value of what is shared."""
        return str(row.subject_id) if row.subject_id else names.NONE

    def prepare_kind(self, row: Any) -> str:
        """Return the kind."""
        return str(row.kind)

    def prepare_session_id(self, row: Any) -> str | None:
        """Return our id of the session."""
        session_id = getattr(row, "session_id", None)
        return str(session_id) if session_id else None

    def prepare_agent_id(self, row: Any) -> str | None:
        """Return the caller's id of the agent."""
        agent_id: str | None = getattr(row, "agent_id", None)
        return agent_id

    def prepare_author(self, row: Any) -> str:
        """Return who said it; empty where nobody did."""
        return str(getattr(row, "author", ""))

    def prepare_compartments(self, row: Any) -> list[str]:
        """Return the compartments, or the reserved value of what has none."""
        return list(getattr(row, "compartments", ())) or [names.NONE]

    def prepare_turn(self, row: Any) -> str:
        """Return the text it is found by."""
        return searched_text(row)

    def prepare_window(self, row: Any) -> str:
        """Return the text around it, or its own where it stands alone."""
        return window_text(row)

    def prepare_valid_from(self, row: Any) -> str | None:
        """Return the start of validity in UTC."""
        return _iso(getattr(row, "valid_from", ALWAYS))

    def prepare_valid_to(self, row: Any) -> str | None:
        """Return the end of validity in UTC, null = open."""
        return _iso(getattr(row, "valid_to", None))

    def prepare_accepted_at(self, row: Any) -> str | None:
        """Return when it began to be believed, in UTC."""
        return _iso(getattr(row, "accepted_at", row.recorded_at))

    def prepare_closed_at(self, row: Any) -> str | None:
        """Return when it ceased to be believed, in UTC; null = it is."""
        return _iso(getattr(row, "closed_at", None))

    def prepare_ended_at(self, row: Any) -> str | None:
        """Return when its successor began to be true, in UTC."""
        return _iso(getattr(row, "ended_at", None))

    def prepare_expires_at(self, row: Any) -> str | None:
        """Return from when on it is not recalled, in UTC; null = always."""
        return _iso(getattr(row, "expires_at", None))

    def prepare_superseded(self, row: Any) -> bool:
        """Say whether a successor took its place."""
        return getattr(row, "superseded_by_id", None) is not None

    def prepare_embedding(self, row: Any) -> list[float] | None:
        """Return the vector that the row was annotated with; what is archived has none."""
        return None if row.embedding is None or is_archived(row) else [float(x) for x in row.embedding]

    def prepare_passages(self, row: Any) -> list[dict[str, list[float]]] | None:
        """Return the vectors of a long row's passages; what is short or archived has none."""
        if not row.passages or row.embedding is None or is_archived(row):
            return None
        vectors = unpack(bytes(row.passages), dimensions=len(row.embedding))
        return [{names.VECTOR: vector.tolist()} for vector in vectors]


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
