"""Tenant: the customer whose memories are kept apart."""

from django.db import models

from tenants.ids import uuid7


class Tenant(models.Model):
    """One customer. Everything else belongs to exactly one."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    slug = models.SlugField(max_length=63, unique=True)
    name = models.CharField(max_length=200)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.slug
