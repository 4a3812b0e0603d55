"""Ending processes: whole groups, orphans, and never a stranger's."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from memory_site.stack.processes import Tree, end, end_in_waves, kill, kill_in, leader, members
from memory_site.stack.spawn import Child, Command, run

FAMILY = "sleep 60 & sleep 60 & wait"


@pytest.fixture
def started() -> Iterator[list[Child]]:
    children: list[Child] = []
    yield children
    for child in children:
        kill([child.tree])
        child.settle()


def begin(started: list[Child], folder: Path, script: str, *, count: int = 0) -> Child:
    """Start a shell script and wait until so many processes belong to it."""
    command = Command(
        argv=["/bin/sh", "-c", script], env=dict(os.environ), cwd=folder, log=folder / "log", grace_s=1.0
    )
    child = Child(command)
    started.append(child)
    child.go()
    until(lambda: len(members(child.tree)) >= count)
    return child


def until(condition: object) -> None:
    assert callable(condition)
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "it did not come about within 10 s"
        time.sleep(0.02)


def test_children_left_by_a_killed_leader_are_found_and_ended(started: list[Child], folder: Path) -> None:
    child = begin(started, folder, FAMILY, count=3)
    child.process.kill()
    child.process.wait()
    assert leader(child.tree) is None
    assert len(members(child.tree)) == 2
    end([child.tree])
    assert members(child.tree) == []


def test_who_ignores_the_wish_is_killed_after_its_grace(started: list[Child], folder: Path) -> None:
    child = begin(started, folder, "trap '' TERM; while true; do sleep 60; done", count=2)
    before = time.monotonic()
    end([child.tree])
    assert 0.9 < time.monotonic() - before < 8
    assert members(child.tree) == []


def test_a_recycled_pid_is_a_stranger(started: list[Child], folder: Path) -> None:
    child = begin(started, folder, FAMILY, count=3)
    earlier = replace(child.tree, created=child.tree.created - 100)
    assert members(earlier) == []
    end([earlier])
    kill([earlier])
    assert len(members(child.tree)) == 3


def test_who_works_in_a_folder_is_ended_with_it(started: list[Child], folder: Path) -> None:
    inside = begin(started, folder, "sleep 60 & wait", count=2)
    kill_in(str(folder))
    assert members(inside.tree) == []


def test_an_earlier_wave_has_gone_before_the_next_is_asked(started: list[Child], folder: Path) -> None:
    script = "trap 'sleep 0.3; date +%s%N >{}; exit' TERM; while true; do sleep 0.02; done"
    server = begin(started, folder, script.format("server"), count=1)
    user = begin(started, folder, script.format("user"), count=1)
    time.sleep(0.3)  # until both have set their trap
    end_in_waves([replace(server.tree, wave=1), user.tree])
    assert int((folder / "user").read_text()) + 250_000_000 < int((folder / "server").read_text())


def test_a_command_that_never_gets_its_word_does_not_begin(folder: Path) -> None:
    made = folder / "made"
    child = Child(Command(argv=["/bin/sh", "-c", f"touch {made}; sleep 60"], env={}, cwd=folder, log=folder / "log"))
    assert child.process.stdin is not None
    child.process.stdin.close()  # what the kernel does when the parent dies
    assert child.process.wait(timeout=5) != 0
    child.settle()
    assert not made.exists()


def test_a_tree_that_is_gone_is_ended_at_once() -> None:
    process = subprocess.Popen(["/bin/true"])
    created = psutil.Process(process.pid).create_time()
    process.wait()
    before = time.monotonic()
    end([Tree(pid=process.pid, created=created, stop_signal=signal.SIGTERM)])
    assert time.monotonic() - before < 1


def test_a_one_off_gives_back_what_it_printed(folder: Path) -> None:
    command = Command(argv=["/bin/echo", "记忆"], env={}, cwd=folder, log=folder / "log")
    assert run(command) == "记忆\n"
