"""Starting a process so that it can never be left behind.

The process waits at a gate, a two-line shell that reads one word before it becomes the real command. Between
its birth and that word the guardian is told about it. If this process dies in between, the gate reads the end
of the pipe and leaves.
"""

import contextlib
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE
from typing import IO, Literal

from memory_site.stack.account import Account
from memory_site.stack.errors import CommandFailed, StackFailed
from memory_site.stack.files import append_private
from memory_site.stack.guardian import guardian
from memory_site.stack.processes import Tree, end, started_at

GATE = 'read -r go || exit 1; exec "$@" </dev/null'
ROTATE_BYTES = 5_000_000

Stdout = Literal["log", "capture", "terminal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What to run.

    env: the whole environment, nothing is inherited.
    log: file that output is appended to.
    account: whom to run as; None for whoever we are.
    stop_signal, grace_s, home, wave: see processes.Tree.
    """

    argv: Sequence[str | Path]
    env: Mapping[str, str]
    cwd: Path
    log: Path
    account: Account | None = None
    stop_signal: int = signal.SIGTERM
    grace_s: float = 10.0
    home: str = ""
    wave: int = 0


class Child:
    """A started command: its process and all that belongs to it."""

    def __init__(self, command: Command, *, guarded: bool = True, stdout: Stdout = "log") -> None:
        self.process = _at_the_gate(command, stdout)
        created = started_at(self.process.pid)
        if created is None:
            raise StackFailed(f"{command.argv[0]} could not be started; see {command.log}")
        self.tree = Tree(
            pid=self.process.pid,
            created=created,
            stop_signal=command.stop_signal,
            grace_s=command.grace_s,
            home=command.home,
            wave=command.wave,
        )
        self._guarded = guarded
        if guarded:
            guardian().watch(self.tree)

    def go(self) -> None:
        """Let the command begin."""
        if self.process.stdin is None:
            return
        with contextlib.suppress(BrokenPipeError):  # killed at the gate: whoever waits for it will see that
            self.process.stdin.write(b"go\n")
            self.process.stdin.close()
        self.process.stdin = None

    def end(self) -> None:
        """Ask it to stop, then kill what is left; afterwards nothing of it runs."""
        end([self.tree])
        self.settle()

    def settle(self) -> None:
        """Take note that it has ended."""
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        if self._guarded:
            guardian().forget(self.tree.pid)


def run(command: Command) -> str:
    """Run a command to its end and return what it printed.

    Raises CommandFailed, when it ends with an error: the message is the last line it wrote to stderr.
    """
    before = command.log.stat().st_size if command.log.exists() else 0
    child = Child(command, stdout="capture")
    try:
        child.go()
        printed, _ = child.process.communicate()
    finally:
        child.end()
    if child.process.returncode:
        with command.log.open("rb") as log:
            log.seek(before)
            stderr = log.read().decode(errors="replace").strip()
        last = stderr.splitlines()[-1] if stderr else f"exit code {child.process.returncode}"
        raise CommandFailed(last, exit_code=child.process.returncode, stderr=stderr)
    return printed.decode(errors="replace")


def _at_the_gate(command: Command, stdout: Stdout) -> subprocess.Popen[bytes]:
    command.log.parent.mkdir(parents=True, exist_ok=True)
    if command.log.exists() and command.log.stat().st_size > ROTATE_BYTES:
        command.log.replace(command.log.with_suffix(".log.1"))
    account = command.account
    with append_private(command.log) as log:
        streams: Mapping[Stdout, IO[bytes] | int | None] = {"log": log, "capture": PIPE, "terminal": None}
        return subprocess.Popen(
            ["/bin/sh", "-c", GATE, "sh", *map(str, command.argv)],
            env=dict(command.env),
            cwd=command.cwd,
            stdin=PIPE,
            stdout=streams[stdout],
            stderr=log,
            start_new_session=True,
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account else None,
        )
