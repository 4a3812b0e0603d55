"""A worker that is killed in the midst of deleting leaves nothing half deleted, and the next one goes on."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg

from tests.site import WAIT_S, Site, running

FACTS = 60
ABILITIES = ("memories:read", "memories:write", "consolidate", "keys:manage")
_AGE = """
    SET LOCAL session_replication_role = replica;
    UPDATE memories_memory SET status = 'archived', recorded_at = recorded_at - interval '9 days',
        accepted_at = accepted_at - interval '9 days', valid_from = valid_from - interval '9 days',
        closed_at = now() - interval '8 days';
    UPDATE memories_source SET recorded_at = recorded_at - interval '9 days';
"""
"""As if all had been archived days ago."""
_WAITING = """
    SELECT count(*) FROM pg_stat_activity WHERE datname = 'mneme' AND wait_event_type = 'Lock' AND query LIKE 'DELETE%'
"""
_DELETING = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = 'mneme' AND query LIKE 'DELETE FROM%memories_memory%'"
)
_LEFT = """
    SELECT (SELECT count(*) FROM memories_memory), (SELECT count(*) FROM memories_source),
        (SELECT count(*) FROM memories_memoryvector), (SELECT count(*) FROM engine.document WHERE place_no IS NOT NULL),
        (SELECT coalesce(sum((data->>'memories')::int), 0) FROM tenants_event WHERE kind = 'memory.forgotten')
"""
"""Memories, what hangs on them, their documents in the engine, and how many are told to be gone."""


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_S
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def counted(server: "psycopg.Connection[Any]", statement: str) -> tuple[int, ...]:
    row = server.execute(statement).fetchone()
    assert row is not None
    return tuple(map(int, row))


def filled(site: Site) -> None:
    """Give the site facts that were archived long ago, and a policy that deletes them."""
    options = [word for ability in ABILITIES for word in ("--ability", ability)]
    site.key = site.stack.manage("issue_key", "acme", *options).split()[-1]
    for number in range(FACTS):
        fact = {"user_id": "u", "text": f"The otter likes song {number}"}
        assert site.call("POST", "memories/", fact).status_code == 201
    site.wait_for_sync()
    policy = {"set": {"forgetting.delete_after_days": 1, "forgetting.archive_below": None}}
    assert site.call("PATCH", "policy/", policy).status_code == 200


def test_a_worker_killed_in_the_midst_of_deleting_leaves_nothing_half_deleted(tmp_path: Path) -> None:
    with running("postgres", tmp_path) as site:
        filled(site)
        dsn = site.stack.superuser_dsn
        with psycopg.connect(dsn, dbname="mneme", autocommit=True) as server:
            until(lambda: counted(server, _LEFT) == (FACTS, FACTS, FACTS, FACTS, 0))
            with server.transaction():
                server.execute(_AGE)
            with psycopg.connect(dsn, dbname="mneme") as holder:
                holder.execute("SELECT 1 FROM memories_memory ORDER BY id DESC LIMIT 1 FOR UPDATE")
                job = site.call("POST", "forgetting/", {"user_id": "u"}).json()
                until(lambda: counted(server, _WAITING) == (1,))
                site.stack.kill("worker")
                holder.rollback()
            until(lambda: counted(server, _DELETING) == (0,))
            assert counted(server, _LEFT) == (FACTS, FACTS, FACTS, FACTS, 0)
            assert site.call("GET", f"jobs/{job['id']}/").json()["state"] != "done"
            site.stack.start("worker")
            until(lambda: site.call("GET", f"jobs/{job['id']}/").json()["state"] == "done")
            assert site.call("GET", f"jobs/{job['id']}/").json()["result"]["deleted"] == FACTS
            until(lambda: counted(server, _LEFT) == (0, 0, 0, 0, FACTS))
