"""The whole stack, with the real services: what `make run` and the benchmarks start."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from memory_site.stack.errors import CommandFailed, StackFailed
from memory_site.stack.files import read_json
from memory_site.stack.guardian import CHECKOUT
from memory_site.stack.logins import LOGINS
from memory_site.stack.manage import login_for
from memory_site.stack.reindex import reindex
from memory_site.stack.stack import Stack
from memory_site.stack.tenants import write_local_file

WAIT_S = 60


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    root = tmp_path_factory.mktemp("stack") / "var"
    with Stack(root, web_workers=1, worker_processes=1) as running:
        yield running
    assert not root.exists()


def call(url: str, key: str, method: str, path: str, **body: object) -> dict[str, Any]:
    answer = httpx.request(
        method,
        f"{url}/api/v1/{path}",
        json=body or None,
        headers={"Authorization": f"Bearer {key}"},
        timeout=WAIT_S,
    )
    assert answer.is_success, answer.text
    found: dict[str, Any] = answer.json()
    return found


def wait_for_sync(url: str, key: str) -> None:
    deadline = time.monotonic() + WAIT_S
    while call(url, key, "GET", "sync/")["pending"]:
        assert time.monotonic() < deadline, "the worker does not keep up"
        time.sleep(0.1)


def test_a_turn_is_recalled_and_survives_the_end_of_every_service(stack: Stack) -> None:
    key = stack.create_tenant("acme")
    call(stack.url, key, "POST", "turns/", user_id="u", session_id="s", content="The code word is zebrafinch.")
    for name in ("sealer", "worker", "embedding", "beat", "valkey", "postgres", "web"):
        stack.kill(name)
    for name in ("postgres", "valkey", "worker", "embedding", "beat", "sealer", "web"):
        stack.start(name)  # type: ignore[arg-type]
    wait_for_sync(stack.url, key)
    found = call(stack.url, key, "POST", "recall/", user_id="u", query="What is the code word?", overlay=False)
    assert "zebrafinch" in found["results"][0]["text"]


def test_every_login_has_its_own_url_and_none_is_the_superuser(stack: Stack) -> None:
    assert set(stack.database_urls) == set(LOGINS)
    for login, url in stack.database_urls.items():
        with psycopg.connect(url) as connection:
            row = connection.execute("SELECT current_user, current_setting('is_superuser')").fetchone()
            assert row == (login, "off")


def test_the_local_file_is_private_and_gets_a_new_key_only_when_the_old_one_is_lost(
    stack: Stack, tmp_path: Path
) -> None:
    local = tmp_path / "local.json"
    write_local_file(stack, local)
    first = read_json(local)
    assert first["url"] == stack.url
    assert set(first["tenants"]) == {"acme", "globex"}
    assert local.stat().st_mode & 0o777 == 0o600
    assert first["admin"]["url"] == f"{stack.url}/admin/"
    assert first["admin"]["username"] == "admin"
    write_local_file(stack, local)
    assert read_json(local) == first

    local.unlink()
    write_local_file(stack, local)
    assert read_json(local)["admin"]["password"] != first["admin"]["password"]
    again = read_json(local)["tenants"]
    for slug, entry in again.items():
        assert entry["api_key"] != first["tenants"][slug]["api_key"]
        assert call(stack.url, entry["api_key"], "GET", "keys/me/")["tenant"]["slug"] == slug


def test_a_second_stack_in_the_same_folder_is_refused_and_harms_nothing(stack: Stack) -> None:
    with pytest.raises(StackFailed, match=rf"already runs in .*: end that one .*pid is {os.getpid()}"):
        Stack(stack.root).up()
    assert httpx.get(f"{stack.url}/health/ready/").json()["status"] == "ready"


def test_a_command_that_fails_is_a_sentence_with_its_reason(stack: Stack) -> None:
    stack.create_tenant("once")
    with pytest.raises(CommandFailed, match=r"manage\.py create_tenant failed: .*once") as failed:
        stack.create_tenant("once")
    assert failed.value.exit_code == 1


def test_another_engine_gets_the_whole_record(stack: Stack, tmp_path: Path) -> None:
    key = stack.create_tenant("moved")
    call(stack.url, key, "POST", "turns/", session_id="s", content="One memory for the other engine.")
    wait_for_sync(stack.url, key)
    memory = tmp_path / "indexed"

    def bring(engine: str) -> int:
        return reindex(lambda: stack.manage("reindex"), engine=engine, memory=memory)

    assert bring("first") >= 1  # sync may have brought them again before anybody could look
    assert bring("first") == 0
    wait_for_sync(stack.url, key)


MANAGE = """
import sys
from pathlib import Path
from memory_site.stack.manage import manage
manage(Path(sys.argv[1]), sys.argv[2:])
"""


def managed(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a management command as `make manage` does, without a setting of this process."""
    bare = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    argv = [sys.executable, "-c", MANAGE, str(root), *arguments]
    return subprocess.run(argv, cwd=CHECKOUT, env=bare, capture_output=True, text=True, check=False)


def test_management_commands_reach_the_running_stack_under_the_right_login(stack: Stack) -> None:
    stack.create_tenant("managed")
    issued = managed(stack.root, "issue_key", "managed", "--ability", "compliance", "--ability", "memories:read")
    assert issued.returncode == 0, issued.stderr
    described = call(stack.url, issued.stdout.split()[-1], "GET", "keys/me/")
    assert (described["tenant"]["slug"], described["abilities"]) == ("managed", ["compliance", "memories:read"])
    migrated = managed(stack.root, "migrate", "--check")
    assert migrated.returncode == 0, migrated.stderr
    assert (login_for(["setup_search"]), login_for(["reindex"])) == ("mneme_owner", "mneme_worker")


def test_without_a_stack_a_management_command_says_so(tmp_path: Path) -> None:
    (tmp_path / "running.json").write_text("{}")  # what a killed one may leave behind
    for root in (tmp_path, tmp_path / "none"):
        with pytest.raises(StackFailed, match=r"no Mneme runs in .*: start one with `make run`"):
            Stack.running(root)
