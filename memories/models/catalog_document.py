"""CatalogDocument: world data of the tenant's own, searched beside the memories."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from backends.search import names
from memories.models.versioned import Versioned
from tenants.ids import EXTERNAL_ID_MAX_LENGTH

CATALOG_TEXT_MAX_LENGTH = 32_000
TITLE_MAX_LENGTH = 500
TAG_MAX_LENGTH = 64


class CatalogDocument(Versioned):
    """One entry of the tenant's catalog or knowledge base, known by the caller's id; replaced whole when it changes.

    The same id in other compartments is another document, so that nobody meets one that is hidden.

    subject is always null: the catalog is shared by all users of the tenant.
    content_hash: SHA-256 of what the caller sent, to tell a change from a repetition.
    """

    external_id = models.CharField(max_length=EXTERNAL_ID_MAX_LENGTH)
    title = models.CharField(max_length=TITLE_MAX_LENGTH, default="")
    text = models.TextField()
    tags = ArrayField(models.CharField(max_length=TAG_MAX_LENGTH), default=list)
    metadata = models.JSONField(default=dict)
    content_hash = models.BinaryField(max_length=32)
    recorded_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "external_id", "compartments"], name="one_catalog_document_an_id"
            ),
            models.UniqueConstraint(fields=["tenant", "id"], name="catalog_document_tenant_id"),
            models.CheckConstraint(condition=models.Q(subject__isnull=True), name="catalog_is_shared"),
        ]

    @property
    def kind(self) -> str:
        """Return the name of what it is, as searches call it."""
        return names.CATALOG
