"""Tenant: the customer whose memories are kept apart."""

from django.db import models

from tenants.ids import uuid7


class Tenant(models.Model):
    """One customer. Everything else belongs to exactly one.

    suspended_at: from then on every key is refused; the data stays, and sync and erasures go on.
    offboarding_at: the worker takes everything away, this row last.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    slug = models.SlugField(max_length=63, unique=True)
    name = models.CharField(max_length=200)
    created_at = models.DateTimeField()
    suspended_at = models.DateTimeField(null=True)
    offboarding_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.slug
