"""What every embedding has in common."""

from django.db import models
from pgvector.django import VectorField

from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject


class Vector(TenantOwned):
    """The embedding of one searched row under one model; kept, so that an index can be rebuilt without the model."""

    subject = reference(Subject, null=True)
    model = models.CharField(max_length=128)
    vector = VectorField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return str(self.id)
