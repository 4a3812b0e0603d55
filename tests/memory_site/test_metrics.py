"""Metrics: shown to who has the token, over all processes, without anybody's words."""

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from memories.services import outbox
from memories.services.claim import claim
from memories.services.growth_figures import growth_figures
from memory_site.stack.stack import Stack
from tests.conftest import Caller, login
from tests.site import Site

TOKEN = "token-of-the-scraper"


@pytest.fixture
def token() -> Iterator[None]:
    """Let metrics be shown."""
    settings.METRICS_TOKEN = TOKEN
    yield
    settings.METRICS_TOKEN = ""


def read(text: str) -> dict[str, float]:
    """Return each sample by name and labels."""
    return {
        f"{sample.name}{sorted(sample.labels.items()) or ''}": sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def scrape() -> dict[str, float]:
    answer = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain")
    return read(answer.content.decode())


def test_without_the_setting_or_the_token_there_is_nothing(token: None) -> None:
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {TOKEN}"}):
        assert Client().get("/metrics", headers=headers).status_code == 404
    assert Client().post("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 405
    settings.METRICS_TOKEN = ""
    for headers in ({}, {"Authorization": "Bearer "}, {"Authorization": f"Bearer {TOKEN}"}):
        assert Client().get("/metrics", headers=headers).status_code == 404


def test_requests_outbox_and_dead_letters_are_counted(token: None, acme: Caller, drain: Callable[[], None]) -> None:
    before = scrape()
    growth_figures.cache_clear()
    acme.turn("the otter is called Bramble")
    acme.turn("the heron is called Ash", session_id="b")
    acme.recall("otter")
    assert acme.client.post("/api/v1/turns/", {}, format="json").status_code == 400
    assert acme.client.get("/api/v1/nowhere/Bramble/").status_code == 404
    with login("mneme_worker"):
        now = timezone.now()
        outbox.give_up(claim(1, now=now), code="rejected:too_large", now=now)
    after = scrape()

    def more(name: str) -> float:
        return after[name] - before.get(name, 0)

    labels = "[('method', 'POST'), ('route', 'api/v1/turns/'), ('status', '201')]"
    assert more(f"mneme_http_requests_total{labels}") == 2
    assert more("mneme_recall_seconds_count") == 1
    assert more("mneme_record_seconds_count[('route', 'turns/')]") == 3
    assert more("mneme_http_requests_total[('method', 'GET'), ('route', 'none'), ('status', '404')]") == 1
    assert after["mneme_outbox_documents"] == 1
    assert after["mneme_dead_letters"] == 1
    assert after["mneme_outbox_oldest_seconds"] >= 0
    assert after["mneme_events_unsealed"] > 0
    assert after["mneme_database_up"] == 1
    assert after["mneme_memories[('kind', 'episodic'), ('status', 'active')]"] == 2
    assert more("mneme_recall_tier_hits_total[('tier', 'hot')]") == 2
    text = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).content.decode()
    for word in ("Bramble", "u1", "acme", str(acme.key.tenant_id)):
        assert word not in text
    drain()
    assert scrape()["mneme_outbox_documents"] == 0


def test_a_recall_without_the_engine_is_counted(token: None, acme: Caller) -> None:
    acme.turn("the otter is called Bramble")
    name = "mneme_recall_degraded_total[('part', 'search')]"
    before = scrape().get(name, 0)
    here = settings.SEARCH_URL
    settings.SEARCH_URL = "http://127.0.0.1:9"
    assert acme.recall("otter")["degraded"] == ["search"]
    settings.SEARCH_URL = here
    assert scrape()[name] == before + 1


def test_all_processes_of_a_machine_count_together(tmp_path: Path) -> None:
    extra = {"METRICS_TOKEN": TOKEN, "METRICS_FOLDER": str(tmp_path / "metrics")}
    with Stack(tmp_path / "var", web_workers=2, worker_processes=1, extra=extra) as stack:
        site = Site(stack)
        for number in range(12):
            site.write(f"note number {number}")
        site.wait_for_sync()
        answer = httpx.get(f"{stack.url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=30)
        found = read(answer.text)
    # Requests went to either web process; passes were the workers'.
    assert found["mneme_record_seconds_count[('route', 'turns/')]"] == 12
    assert found["mneme_sync_entries_total[('ended', 'done'), ('step', 'embed')]"] >= 12
    assert found["mneme_sync_entries_total[('ended', 'done'), ('step', 'sync')]"] >= 12
