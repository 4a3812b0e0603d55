"""What every service of the local stack has in common: start, wait until it answers, stop, kill."""

import json
import os
import shutil
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from dataclasses import asdict
from pathlib import Path
from subprocess import Popen

from memory_site.stack.errors import StackFailed
from memory_site.stack.files import Lock, read_json, write_private
from memory_site.stack.processes import Tree, end_in_waves, kill
from memory_site.stack.spawn import Child, Command

POLL_S = 0.05


def plain_environment() -> dict[str, str]:
    """Return the little environment that servers which are not ours get."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}


class Service(ABC):
    """One long-running service.

    The leader's pid and start time are kept in a file, so that a later run ends what an earlier one left
    behind, even when that run and its guardian were killed together.
    """

    name: str
    guarded = True
    ready_within_s = 60.0

    def __init__(self, root: Path, *, logs: Path | None = None) -> None:
        self.root = root.resolve()
        self.log = (logs or self.root) / f"{self.name}.log"
        self._record = self.root / f"{self.name}.process.json"
        self._child: Child | None = None
        self._lock: Lock | None = None

    @property
    def process(self) -> Popen[bytes] | None:
        """The leader, or None before the start and after a stop."""
        return self._child.process if self._child else None

    @property
    def is_running(self) -> bool:
        """Whether the leader runs now."""
        return self.process is not None and self.process.poll() is None

    @property
    def is_wanted(self) -> bool:
        """Whether it was started and neither stopped nor killed by us since."""
        return self._child is not None

    @property
    def how_it_ended(self) -> str:
        """How the leader ended, in words; empty while it runs."""
        code = self.process.poll() if self.process else None
        if code is None:
            return ""
        return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    @property
    @abstractmethod
    def address(self) -> str:
        """Where it answers, password included; empty for a service that only asks others."""

    @abstractmethod
    def command(self) -> Command:
        """Prepare what it needs and return what to run."""

    @abstractmethod
    def answers(self) -> bool:
        """Tell whether it does its work already."""

    def start(self) -> str:
        """Start it, wait until it answers and return its address. Does nothing if it runs."""
        self.launch()
        self.wait()
        return self.address

    def launch(self) -> None:
        """Start it without waiting.

        Raises StackFailed, when another process has started it, or when something is missing.
        """
        if self.is_running:
            return
        self.kill()
        refusal = f"{self.root} is in use by another process: stop that one first"
        self._lock = self._lock or Lock(self.root, refusal=refusal)
        self.end_leftovers()
        child = Child(self.command(), guarded=self.guarded)
        self._child = child
        write_private(self._record, json.dumps(asdict(child.tree)))
        child.go()

    def wait(self) -> None:
        """Return once it answers.

        Raises StackFailed, when it ended or did not answer in time.
        """
        deadline = time.monotonic() + self.ready_within_s
        while not self.answers():
            if not self.is_running:
                raise StackFailed(
                    f"{self.name} ended while starting ({self.how_it_ended}): see {self.log} for the reason"
                )
            if time.monotonic() > deadline:
                raise StackFailed(
                    f"{self.name} gave no answer for {self.ready_within_s:.0f} s: see {self.log} for the reason"
                )
            time.sleep(POLL_S)

    def stop(self) -> None:
        """Stop it in good order, at the latest after its grace."""
        if self._child is not None:
            self._child.end()
        self._ended()

    def kill(self) -> None:
        """Kill all its processes at once, as a crash would."""
        if self._child is not None:
            kill([self._child.tree])
            self._child.settle()
        self._ended()

    def remove(self) -> None:
        """Kill it, since nothing of it will be wanted, and remove all its data."""
        self.kill()
        shutil.rmtree(self.root, ignore_errors=True)

    def end_leftovers(self) -> bool:
        """End what an earlier process of ours started and did not end; tell whether there was anything."""
        return bool(self.end_all_leftovers([self]))

    def _ended(self) -> None:
        if self._child is not None:
            self._child = None
            self._record.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    @staticmethod
    def stop_all(services: Collection["Service"]) -> None:
        """Stop many in good order: first, together, those who use others; then, together, the others."""
        begun = [service._child for service in services if service._child is not None]
        end_in_waves([child.tree for child in begun])
        for child in begun:
            child.settle()
        for service in services:
            service._ended()

    @staticmethod
    def end_all_leftovers(services: Iterable["Service"]) -> list[str]:
        """End what earlier processes of ours left behind; return the services' names."""
        left = {service: Tree(**found) for service in services if (found := read_json(service._record))}
        end_in_waves(list(left.values()))
        for service in left:
            service._record.unlink(missing_ok=True)
        return [service.name for service in left]
