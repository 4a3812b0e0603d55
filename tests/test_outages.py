"""One service away at a time, on a whole running stack: turns are accepted, recall answers, nothing is lost."""

import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from memory_site.stack.stack import Name
from tests.site import WAIT_S, Site, running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running("postgres", tmp_path_factory.mktemp("outages")) as started:
        yield started


@pytest.mark.parametrize("away", [("valkey",), ("worker", "embedding", "beat"), ("embedding",)])
def test_a_service_that_is_away_costs_no_turn(site: Site, away: tuple[Name, ...]) -> None:
    word = "zebra" + "".join(away)
    with site.without(*away):
        for number in range(5):
            site.write(f"the code word number {number} is {word}{number}")
        answer = site.ask(f"{word}3")
        assert f"{word}3" in answer["results"][0]["text"]
        assert answer["degraded"] == []
    site.wait_for_sync()
    for number in range(5):
        assert f"{word}{number}" in site.ask(f"{word}{number}", overlay=False)["results"][0]["text"]


def test_without_the_record_nothing_is_acknowledged_and_readiness_says_so(site: Site) -> None:
    site.write("the harbour word is quokka")
    with site.without("postgres"):
        refused = site.call("POST", "turns/", {"user_id": "u", "session_id": "s", "content": "lost?"})
        assert refused.status_code == 503
        assert refused.json()["type"] == "/problems/unavailable/"
        assert site.call("POST", "recall/", {"user_id": "u", "query": "quokka"}).status_code == 503
        assert httpx.get(f"{site.stack.url}/health/ready/", timeout=30).status_code == 503
        assert httpx.get(f"{site.stack.url}/health/live/", timeout=30).status_code == 200
    deadline = time.monotonic() + WAIT_S
    while httpx.get(f"{site.stack.url}/health/ready/", timeout=30).status_code != 200:
        assert time.monotonic() < deadline, "the web does not recover"
        time.sleep(0.2)
    site.wait_for_sync()
    assert "quokka" in site.ask("quokka", overlay=False)["results"][0]["text"]
    assert site.ask("lost?", overlay=False)["results"][0]["text"] != "lost?"


@pytest.mark.engines
def test_elasticsearch_away_costs_no_turn(tmp_path: Path) -> None:
    with running("elasticsearch", tmp_path) as site:
        site.write("the first word is wombat")
        site.wait_for_sync()
        with site.without("elasticsearch"):
            for number in range(5):
                site.write(f"the code word number {number} is zebra{number}")
            answer = site.ask("zebra3")
            assert "zebra3" in answer["results"][0]["text"]
            assert answer["degraded"] == ["search"]
        site.wait_for_sync()
        assert "zebra3" in site.ask("zebra3", overlay=False)["results"][0]["text"]
        assert "wombat" in site.ask("wombat", overlay=False)["results"][0]["text"]
        assert site.ask("zebra3")["degraded"] == []
