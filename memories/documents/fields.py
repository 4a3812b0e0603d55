"""Fields that django-elasticsearch-dsl lacks."""

from django_elasticsearch_dsl.fields import DEDField
from elasticsearch.dsl import DenseVector


class DenseVectorField(DEDField, DenseVector):  # type: ignore[misc]
    """A dense vector that takes part in prepare(), unlike the plain DenseVector."""
