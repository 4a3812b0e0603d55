"""Fields that django-elasticsearch-dsl lacks."""

from django_elasticsearch_dsl.fields import DEDField, TextField
from elasticsearch.dsl import DenseVector

from backends.search.elasticsearch.analysis import INDEX_ANALYZER
from backends.search.elasticsearch.scoring import SIMILARITY


class DenseVectorField(DEDField, DenseVector):  # type: ignore[misc]
    """A dense vector that takes part in prepare(), unlike the plain DenseVector."""


def vector_field(dimensions: int) -> DenseVectorField:
    """Return a field of embeddings that are compared by their cosine."""
    return DenseVectorField(dims=dimensions, index=True, similarity="cosine", index_options={"type": "int8_hnsw"})


class SearchedTextField(TextField):  # type: ignore[misc]
    """A text that is scored by backends.search.elasticsearch.scoring."""

    def __init__(self) -> None:
        super().__init__(analyzer=INDEX_ANALYZER, similarity=SIMILARITY)
