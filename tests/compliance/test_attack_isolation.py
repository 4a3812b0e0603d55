"""The shipped attack, run whole: what it finds is what is known, and every URL of the site is in it."""

import re
from collections.abc import Callable, Iterator

import httpx
import pytest
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.urls import URLResolver, get_resolver
from django.utils import timezone

from backends.search.elasticsearch.attack.run import PROBES as ELASTICSEARCH
from backends.search.postgres.attack import PROBES as POSTGRES
from compliance.services.attack.isolation import Report, attack_isolation
from compliance.services.attack.operations import operations
from compliance.services.attack.planted import PlantingFailed
from compliance.services.attack.record import ALL_TABLES
from compliance.services.attack.record import PROBES as RECORD
from memories.services.engine import search_engine
from tenants.models import ApiKey
from tenants.services.open_scope import open_operator
from tests.conftest import login


def connect(secret: str) -> httpx.Client:
    return httpx.Client(
        transport=httpx.WSGITransport(app=WSGIHandler()),
        base_url="http://localhost",
        headers={"Authorization": f"Bearer {secret}"},
    )


def attacked(drain: Callable[[], None]) -> Report:
    return attack_isolation(connect, search_engine(), synced=lambda _: drain(), now=timezone.now())


def test_every_wall_holds(each_engine: str, drain: Callable[[], None]) -> None:
    report = attacked(drain)
    assert not report.breaches, "\n".join(map(str, report.breaches))
    assert not [finding for finding in (*report.engine, *report.record) if finding.differs]
    assert report.holds
    assert report.tried == len(operations(connect("")))


def test_an_attack_that_is_broken_off_leaves_no_live_key(record: None) -> None:
    def broken_off(_: httpx.Client) -> None:
        raise PlantingFailed

    with pytest.raises(PlantingFailed):
        attack_isolation(connect, search_engine(), synced=broken_off, now=timezone.now())
    with login("mneme_worker"), open_operator():
        assert {bool(revoked_at) for revoked_at in ApiKey.objects.values_list("revoked_at", flat=True)} == {True}


def test_every_url_of_the_site_is_attacked_or_needs_no_key() -> None:
    """A new URL of the API is in the OpenAPI document, whose operations are all attacked."""
    attacked = {pattern(operation.path) for operation in operations(connect(""))}
    site = {pattern(url) for url in urls(get_resolver())}
    elsewhere = {url for url in site - attacked if not url.startswith(("admin/", "inspector/"))}
    assert elsewhere == {"", "admin", "api/schema/", "api/docs/", "health/live/", "health/ready/", "metrics"}
    assert attacked <= site


def urls(resolver: URLResolver, prefix: str = "") -> Iterator[str]:
    for item in resolver.url_patterns:
        if isinstance(item, URLResolver):
            yield from urls(item, prefix + str(item.pattern))
        else:
            yield prefix + str(item.pattern)


def pattern(url: str) -> str:
    """Return a URL with its parameters blanked, as Django or as OpenAPI spells it."""
    return re.sub(r"<[^>]*>|\{[^}]*\}", "*", url).lstrip("/")


@pytest.mark.parametrize(
    ("heading", "rows"),
    [
        (
            "Elasticsearch",
            [(probe.name, probe.known.value, probe.known_by_index.value) for probe in ELASTICSEARCH],
        ),
        ("The Postgres engine", [(probe.name, probe.known.value) for probe in POSTGRES]),
        ("The record", [(ALL_TABLES, "own data only"), *((probe.name, probe.known.value) for probe in RECORD)]),
    ],
)
def test_the_security_page_says_what_the_attack_expects(heading: str, rows: list[tuple[str, ...]]) -> None:
    page = (settings.BASE_DIR / "docs" / "security.md").read_text(encoding="utf-8")
    section = page.partition(f"### {heading}\n")[2].partition("\n#")[0]
    told = [
        tuple(cell.strip() for cell in line.strip("|").split("|")) for line in section.splitlines() if "|" in line
    ]
    assert told[2:] == rows
