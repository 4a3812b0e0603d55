"""However a parent ends, nothing that it started stays."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from memory_site.stack.guardian import CHECKOUT

PARENT = """
import signal, sys, time
from pathlib import Path
from memory_site.stack.guardian import guardian
from memory_site.stack.postgres import Postgres
from memory_site.stack.supervisor import Supervisor
from memory_site.stack.valkey import Valkey

signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell in the background takes away
root = Path(sys.argv[1])
services = [Postgres(root / "postgres"), Valkey(root / "valkey")]
for service in services:
    service.start()
supervisor = Supervisor(services)
print("up", guardian()._process.pid, flush=True)
while True:
    supervisor.check()
    time.sleep(0.05)
"""


@contextmanager
def parent(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run a process that looks after a Postgres and a Valkey; give it, and its guardian's pid, once both are up."""
    process = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(folder)], cwd=CHECKOUT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    with process, process.stdout:
        word, guardian = process.stdout.readline().split()
        assert word == "up"
        try:
            yield process, int(guardian)
        finally:
            process.kill()


def belonging_to(folder: Path) -> list[str]:
    """Return the command lines of everything that runs in the folder or was told of it."""
    found = []
    for process in psutil.process_iter(["pid", "cmdline", "cwd", "status"]):
        words = " ".join(process.info["cmdline"] or [])
        if process.info["status"] != psutil.STATUS_ZOMBIE and (
            str(folder) in words or (process.info["cwd"] or "").startswith(str(folder))
        ):
            found.append(words)
    return found


def wait_until_gone(folder: Path) -> None:
    deadline = time.monotonic() + 60
    while left := belonging_to(folder):
        assert time.monotonic() < deadline, left
        time.sleep(0.05)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_behind_by_a_signal(folder: Path, end: signal.Signals) -> None:
    with parent(folder) as (process, _):
        assert len(belonging_to(folder)) > 5  # the parent, Valkey, Postgres and its own processes
        process.send_signal(end)
        process.wait(timeout=60)
        wait_until_gone(folder)
    assert not (folder / "postgres" / "data" / "postmaster.pid").exists()  # stopped in good order


def test_a_guardian_that_is_killed_is_replaced_and_the_next_one_knows_everything(folder: Path) -> None:
    with parent(folder) as (process, guardian):
        os.kill(guardian, signal.SIGKILL)
        time.sleep(1)
        process.kill()
        process.wait(timeout=60)
        wait_until_gone(folder)


def test_what_parent_and_guardian_leave_when_killed_together_is_ended_by_the_next_start(folder: Path) -> None:
    with parent(folder) as (process, guardian):
        os.kill(guardian, signal.SIGSTOP)  # so that it cannot act between the two kills
        process.kill()
        os.kill(guardian, signal.SIGKILL)
        process.wait(timeout=60)
        first = belonging_to(folder)
        assert len(first) > 4
    with parent(folder) as (process, _):
        assert len(belonging_to(folder)) <= len(first) + 2
        process.kill()
        process.wait(timeout=60)
        wait_until_gone(folder)
