"""Every URL of the admin, found by walking the site, and rows to fill into their paths."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any
from uuid import UUID

import psycopg
from django.apps import apps
from django.db.models import Model
from django.urls import URLPattern, URLResolver, reverse
from django.utils import timezone
from psycopg import sql

from consolidation.models import ReviewItem
from consolidation.services.due import asked
from consolidation.services.work import work
from tenants.admin.site import site
from tenants.models import Tenant
from tenants.services.open_scope import open_scope
from tests.conftest import Caller, login
from tests.plugin import DATABASE


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One URL of the admin. model: whose page it is, None for the site's own. ids: those in the path."""

    path: str
    model: type[Model] | None
    ids: tuple[str, ...]


def rows_of(caller: Caller) -> dict[type[Model], list[UUID]]:
    """Return the ids of all that a tenant has and the admin shows; of each something, or a walk proves nothing."""
    _sleep(caller)
    with open_scope(caller.system):
        found = {model: list(model._default_manager.values_list("pk", flat=True)) for model in site._registry}
    assert all(found.values()), found
    return found


def _sleep(caller: Caller) -> None:
    """Have a run, its decisions and a review, so that there is something of each to show."""
    with open_scope(caller.system):
        if ReviewItem.objects.exists():
            return
    caller.turn("I think I live in Bradford.", user_id="sleeper", session_id="sleep")
    with login("mneme_worker"):
        work(asked(caller.key.tenant_id), clock=timezone.now)


def pages(rows: dict[type[Model], list[UUID]]) -> Iterator[Page]:
    """Yield every URL of the site but for signing in and out, with the rows' ids where it takes any."""
    patterns = site.get_urls()
    assert len(patterns) > 10
    skipped = {reverse("admin:login"), reverse("admin:logout")}
    for page in _walk(patterns, reverse("admin:index"), rows):
        if page.path not in skipped:
            yield page


def _walk(
    patterns: Sequence[URLPattern | URLResolver], prefix: str, rows: dict[type[Model], list[UUID]]
) -> Iterator[Page]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, prefix + str(pattern.pattern), rows)
            continue
        admin: Any = getattr(pattern.callback, "model_admin", None)
        model: type[Model] | None = admin.model if admin else None
        ids = [str(pk) for pk in (rows[model] if model else [pk for found in rows.values() for pk in found[:1]])]
        names = sorted(pattern.pattern.converters)
        route = str(pattern.pattern)
        if "(" in route:  # Django's two patterns that are regular expressions: an app's index, and what is left over
            yield from (Page(path=f"{prefix}{app}/", model=None, ids=()) for app in ("tenants", "memories", "no"))
            continue
        for values in product(ids[:3], repeat=len(names)) if names else [()]:
            filled = route
            for name, value in zip(names, values, strict=True):
                filled = filled.replace(f"<path:{name}>", value).replace(f"<uuid:{name}>", value)
            assert "<" not in filled, route
            yield Page(path=prefix + filled, model=model, ids=tuple(values))


def everything_of(superuser_dsn: str, tenant_id: UUID) -> dict[str, list[str]]:
    """Return all rows of a tenant, table by table, as the database itself sees them."""
    found = {}
    with psycopg.connect(superuser_dsn, dbname=DATABASE, autocommit=True) as connection:
        for model in apps.get_models():
            fields = {field.attname for field in model._meta.concrete_fields}
            column = "id" if model is Tenant else "tenant_id"
            if column not in fields:
                continue
            query = sql.SQL("SELECT to_jsonb(t)::text FROM {} t WHERE {} = %s ORDER BY 1").format(
                sql.Identifier(model._meta.db_table), sql.Identifier(column)
            )
            found[model._meta.db_table] = [row[0] for row in connection.execute(query, [tenant_id])]
    return found
