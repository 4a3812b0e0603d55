"""CatalogPassages: the embeddings of a long catalog document's passages under one model."""

from django.db import models

from memories.models.catalog_document import CatalogDocument
from memories.models.catalog_vector import CatalogVector
from memories.models.passages import Passages
from tenants.models.owned import reference


class CatalogPassages(Passages):
    """The passages of one document by one model. vector: the document's own, with which they go."""

    document = reference(CatalogDocument)
    vector = reference(CatalogVector)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "document", "model"], name="one_row_of_passages_catalog_model"),
            models.UniqueConstraint(fields=["tenant", "id"], name="catalog_passages_tenant_id"),
        ]
