"""What the passages of every kind of row have in common."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject


class Passages(TenantOwned):
    """The embeddings of a long row's passages under one model; they go with the row's own vector by that model.

    spans: start and end of each passage in the row's text, in code points. vectors: of each, as
    backends.embedders.packing packs them. Both empty where the embedder refused them all.
    """

    subject = reference(Subject, null=True)
    model = models.CharField(max_length=128)
    spans = ArrayField(models.PositiveIntegerField())
    vectors = models.BinaryField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return str(self.id)
