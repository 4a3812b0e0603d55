"""Which processes belong to a service, and how all of them end.

A service is started as the leader of its own session, so its process group finds most of its children even
after the leader has died. Postgres gives every backend a session of its own: those are found as descendants and,
once orphaned, by their working directory, which is the data directory.
"""

import contextlib
import os
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import psutil

POLL_S = 0.05
KILL_WITHIN_S = 10.0
SAME_START_S = 2.0  # psutil derives start times from the clock, which may be set while a service runs

_GONE = (psutil.NoSuchProcess, psutil.AccessDenied, ProcessLookupError, PermissionError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A service's processes.

    pid: the leader, which is also the id of its process group.
    created: when the leader started, seconds since the epoch; tells a recycled pid from the leader.
    stop_signal: what asks the leader to stop in good order.
    grace_s: how long it may take, before everything is killed.
    home: processes with this working directory belong to the service as well; empty for none.
    wave: who uses others (0) stops before those it uses (1), which it may need to stop in good order.
    """

    pid: int
    created: float
    stop_signal: int = signal.SIGTERM
    grace_s: float = 10.0
    home: str = ""
    wave: int = 0


def started_at(pid: int) -> float | None:
    """Return when a process started, zombie or not; None if there is none."""
    try:
        return psutil.Process(pid).create_time()
    except psutil.NoSuchProcess:
        return None


def leader(tree: Tree) -> psutil.Process | None:
    """Return the leader, if it is still running."""
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(tree.pid)
        if _is_leader(process, tree) and process.status() != psutil.STATUS_ZOMBIE:
            return process
    return None


def members(tree: Tree) -> list[psutil.Process]:
    """Return every running process of the tree, zombies left out."""
    found: dict[int, psutil.Process] = {process.pid: process for process in _descendants(tree)}
    started = started_at(tree.pid)
    recycled = started is not None and abs(started - tree.created) > SAME_START_S
    for process in psutil.process_iter():
        with contextlib.suppress(*_GONE):
            in_group = not recycled and os.getpgid(process.pid) == tree.pid
            if in_group or (tree.home and process.cwd() == tree.home):
                found[process.pid] = process
    return [process for process in found.values() if _runs(process)]


def end(trees: Sequence[Tree]) -> None:
    """Ask every leader to stop, wait for its grace, then kill what is left. Returns when all are gone.

    Who has lost its leader already has nobody to stop it in good order.
    """
    asked = [tree for tree in trees if _ask(tree)]
    deadline = time.monotonic() + max((tree.grace_s for tree in asked), default=0.0)
    while time.monotonic() < deadline and any(members(tree) for tree in asked):
        time.sleep(POLL_S)
    kill(trees)


def end_in_waves(trees: Sequence[Tree]) -> None:
    """End the trees of a wave together, and the waves one after the other."""
    for wave in sorted({tree.wave for tree in trees}):
        end([tree for tree in trees if tree.wave == wave])


def kill(trees: Sequence[Tree]) -> None:
    """Kill all processes of the trees; looks again until a look finds none, since they may have forked."""
    deadline = time.monotonic() + KILL_WITHIN_S
    while time.monotonic() < deadline:
        left = [process for tree in trees for process in members(tree)]
        if not left:
            return
        for process in left:
            with contextlib.suppress(*_GONE):
                process.kill()
        time.sleep(POLL_S)


def kill_in(folder: str) -> None:
    """Kill every process whose working directory is the folder."""
    deadline = time.monotonic() + KILL_WITHIN_S
    while time.monotonic() < deadline and (left := _working_in(folder)):
        for process in left:
            with contextlib.suppress(*_GONE):
                process.kill()
        time.sleep(POLL_S)


def _working_in(folder: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(*_GONE):
            if process.cwd() == folder and _runs(process):
                found.append(process)
    return found


def _ask(tree: Tree) -> bool:
    process = leader(tree)
    if process is None:
        return False
    with contextlib.suppress(*_GONE):
        process.send_signal(tree.stop_signal)
    return True


def _is_leader(process: psutil.Process, tree: Tree) -> bool:
    return abs(process.create_time() - tree.created) <= SAME_START_S


def _descendants(tree: Tree) -> Iterator[psutil.Process]:
    process = leader(tree)
    if process is not None:
        yield process
        with contextlib.suppress(psutil.NoSuchProcess):
            yield from process.children(recursive=True)


def _runs(process: psutil.Process) -> bool:
    with contextlib.suppress(*_GONE):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False
