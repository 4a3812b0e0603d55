"""Find a tenant by its slug, for management commands."""

from uuid import UUID

from django.db import connection


def find_tenant(slug: str) -> UUID | None:
    """Return the tenant's id, or None; only the worker's login may ask."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenants_find_tenant(%s)", [slug])
        found = cursor.fetchone()
    return found[0] if found else None
