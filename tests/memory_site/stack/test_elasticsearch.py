"""The real Elasticsearch: its account, its licence, its password, and how it stops."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from memory_site.stack.elasticsearch import Elasticsearch
from memory_site.stack.engine import QUICK_START
from memory_site.stack.errors import StackFailed
from memory_site.stack.processes import members


@pytest.fixture
def server(folder: Path) -> Iterator[Elasticsearch]:
    made = Elasticsearch(folder / "node", java_options=QUICK_START)
    yield made
    made.remove()


@pytest.mark.engines
def test_it_keeps_its_data_over_kill_9_and_leaves_nothing_when_it_stops(server: Elasticsearch) -> None:
    url = server.start()
    child = server._child
    assert child is not None
    processes = members(child.tree)
    assert len(processes) >= 2  # the launcher and the server
    assert all(process.uids().effective != 0 for process in processes)
    with httpx.Client(base_url=url) as client:
        assert client.get("/_license").json()["license"]["type"] == "trial"
        assert client.get("/_cluster/health").json()["status"] in {"green", "yellow"}
        client.put("/kept/_doc/1?refresh=true", json={"word": "zebrafinch"}).raise_for_status()
    anonymous = f"http://127.0.0.1:{server.port}/"
    assert httpx.get(anonymous).status_code == httpx.codes.UNAUTHORIZED
    assert (server.root / "password").stat().st_mode & 0o777 == 0o600

    server.kill()
    assert not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in processes)

    assert server.start() == url
    assert httpx.get(f"{url}/kept/_doc/1").json()["_source"] == {"word": "zebrafinch"}
    second = server._child
    assert second is not None
    server.stop()
    assert members(second.tree) == []
    with pytest.raises(httpx.ConnectError):
        httpx.get(anonymous)


def test_asking_for_one_that_does_not_run_says_how_to_start_it(folder: Path) -> None:
    with pytest.raises(StackFailed, match=r"does not run: .* elasticsearch start"):
        Elasticsearch(folder / "node").running_address()
