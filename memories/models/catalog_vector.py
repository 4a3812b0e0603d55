"""CatalogVector: the embedding of a document of the tenant's catalog under one model."""

from django.db import models

from memories.models.catalog_document import CatalogDocument
from memories.models.vector import Vector
from tenants.models.owned import reference


class CatalogVector(Vector):
    """The vector of a document of the tenant's catalog by one model."""

    document = reference(CatalogDocument)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "document", "model"], name="one_vector_catalog_model"),
            models.UniqueConstraint(fields=["tenant", "id"], name="catalog_vector_tenant_id"),
        ]
