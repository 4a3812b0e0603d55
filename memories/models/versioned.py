"""What every searched row has in common besides its tenant."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject


class Versioned(TenantOwned):
    """A row with a document in the search engine.

    subject: whose it is; null = shared by all users of the tenant.
    compartments: sorted, each once; only who holds one of them sees the row; empty = whoever reaches it otherwise.
    version: changes with what a caller can see; the ETag. doc_version: changes with what the engine holds. Both by
    trigger, from one sequence.
    """

    subject = reference(Subject, null=True)
    compartments = ArrayField(models.CharField(max_length=64), default=list)
    version = models.BigIntegerField(default=0)
    doc_version = models.BigIntegerField(default=0)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return str(self.id)
