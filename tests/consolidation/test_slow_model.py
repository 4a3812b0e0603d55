"""A model that takes half a minute: who recalls meanwhile does not notice, and nothing is held for it."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psycopg

from memory_site.stack.stack import Stack
from tests.model_server import KEY, model_server
from tests.site import WAIT_S, Site

LATENCY_S = 30.0
POOL = 5
RECALLS_EACH = 8
UNNOTICED_S = 5.0
"""Of one recall among POOL at a time, on a machine that does other things too; far from what the model takes."""
HELD = """
    SELECT usename, state, query FROM pg_stat_activity
    WHERE datname = 'mneme' AND usename LIKE 'mneme%' AND xact_start < now() - interval '3 seconds'
"""


def recalls(site: Site) -> list[float]:
    """Recall from POOL threads at a time and return how long each took, in seconds."""
    took: list[float] = []

    def recall() -> None:
        for _ in range(RECALLS_EACH):
            began = time.monotonic()
            assert site.ask("Where do I live?")["results"]
            took.append(time.monotonic() - began)

    threads = [threading.Thread(target=recall) for _ in range(POOL)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took


def until(said: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + WAIT_S
    while not said():
        assert time.monotonic() < deadline, what
        time.sleep(0.1)


def test_recalls_are_not_slower_and_no_transaction_waits_for_a_model_of_thirty_seconds(tmp_path: Path) -> None:
    with model_server(json.dumps({"facts": []})) as server:
        server.meanwhile = lambda: time.sleep(LATENCY_S)
        extra = {"LLM": server.url, "LLM_MODEL": "slow", "LLM_API_KEY": KEY, "DATABASE_POOL_SIZE": str(POOL)}
        with Stack(tmp_path / "var", search="postgres", web_workers=1, worker_processes=1, extra=extra) as stack:
            site, sleeper = Site(stack), Site.__new__(Site)
            given = ("--ability", "consolidate", "--ability", "memories:read")
            sleeper.stack, sleeper.key = stack, stack.manage("issue_key", "acme", *given).split()[-1]
            site.write("I live in Leeds.")
            site.wait_for_sync()
            site.ask("Where do I live?")
            job = sleeper.call("POST", "consolidations/", {}).json()
            until(lambda: bool(server.requests), "the model was never asked")
            asked_at = time.monotonic()
            took = recalls(site)
            time.sleep(max(0.0, 4 - (time.monotonic() - asked_at)))
            with psycopg.connect(stack.superuser_dsn, dbname="mneme", autocommit=True) as record:
                held = record.execute(HELD).fetchall()
                read = record.execute("SELECT count(*) FROM consolidation_decision").fetchone()
            assert time.monotonic() - asked_at < LATENCY_S, "the model had answered before all was looked at"
            assert read == (0,)  # the run was waiting for the model all the while
            assert held == []
            assert len(took) == POOL * RECALLS_EACH
            assert max(took) < UNNOTICED_S, sorted(took)[-5:]
            until(lambda: sleeper.call("GET", f"jobs/{job['id']}/").json()["state"] == "done", "the job does not end")
            assert time.monotonic() - asked_at >= LATENCY_S - 1
            facts = sleeper.call("GET", "memories/?user_id=u&memory_type=semantic").json()["results"]
            assert [fact["text"] for fact in facts] == ["The user lives in Leeds"]
