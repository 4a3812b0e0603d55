"""Erasing a user on a whole running stack: the canary is in no store, not even in the broker."""

import time
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import redis
from psycopg import sql

from memory_site.stack.stack import Search
from tests.site import WAIT_S, running

CANARY, OTHER = "zebrafinchcanary", "quokkacanary"


def in_postgres(dsn: str, word: str) -> list[str]:
    """Return the tables with a row that holds a word, in any column."""
    found = []
    with psycopg.connect(dsn, dbname="mneme") as connection:
        tables = connection.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname IN ('public', 'engine')"
        ).fetchall()
        for schema, table in tables:
            query = sql.SQL("SELECT EXISTS (SELECT FROM {} AS t WHERE t::text ILIKE %s)")
            row = connection.execute(query.format(sql.Identifier(schema, table)), [f"%{word}%"]).fetchone()
            if row and row[0]:
                found.append(f"{schema}.{table}")
    return found


def in_valkey(url: str, word: str) -> list[bytes]:
    """Return the keys whose stored bytes, or own name, hold a word."""
    with redis.Redis.from_url(url) as client:
        return [key for key in client.scan_iter() if word.encode() in key + (client.dump(key) or b"")]


@pytest.mark.parametrize("search", ["postgres", pytest.param("elasticsearch", marks=pytest.mark.engines)])
def test_a_canary_is_in_no_store_after_the_erasure_and_anothers_is(search: Search, tmp_path: Path) -> None:
    with running(search, tmp_path) as site:
        for user_id, word in (("u1", CANARY), ("u2", OTHER)):
            turn = {"user_id": user_id, "session_id": f"s {word}", "content": f"The password is {word}"}
            fact = {"user_id": user_id, "text": f"The word is {word}", "metadata": {"note": word}}
            assert site.call("POST", "turns/", turn).status_code == 201
            assert site.call("POST", "memories/", fact).status_code == 201
            assert site.call("POST", "recall/", {"user_id": user_id, "query": word}).json()["results"]
        site.wait_for_sync()
        assert in_postgres(site.stack.superuser_dsn, CANARY)
        officer = site.stack.manage("issue_key", "acme", "--ability", "compliance", "--ability", "memories:read")
        headers = {"Authorization": f"Bearer {officer.split()[-1]}"}

        def ask(method: str, path: str) -> Any:
            answer = httpx.request(method, f"{site.stack.url}/api/v1/{path}", headers=headers, timeout=30)
            assert answer.is_success, answer.text
            return answer.json()

        (subject,) = ask("GET", "subjects/?user_id=u1")["results"]
        job = ask("POST", f"subjects/{subject['id']}/erase/")
        deadline = time.monotonic() + WAIT_S
        while job["state"] != "done":
            assert time.monotonic() < deadline, job
            time.sleep(0.3)
            job = ask("GET", f"jobs/{job['id']}/")
        assert job["result"] == {"record": 0, search: 0, "waiting": 0}
        assert in_postgres(site.stack.superuser_dsn, CANARY) == []
        assert in_valkey(site.stack.valkey.address, CANARY) == []
        assert site.call("POST", "recall/", {"user_id": "u1", "query": CANARY}).json()["results"] == []
        assert in_postgres(site.stack.superuser_dsn, OTHER)
        kept = site.call("POST", "recall/", {"user_id": "u2", "query": OTHER}).json()["results"]
        assert {hit["memory_type"] for hit in kept} == {"episodic", "semantic"}
