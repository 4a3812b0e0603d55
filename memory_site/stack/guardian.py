"""A process that outlives its parent by seconds only: to end what the parent started, however the parent ended.

The parent holds the writing end of a pipe and reports every process on it. Whatever ends the parent, kill -9
included, closes the pipe; the guardian then stops everything reported. It lives in a session of its own, where
neither Ctrl-C nor a closed terminal reaches it.
"""

import atexit
import functools
import json
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from memory_site.stack.processes import Tree, end_in_waves

CHECKOUT = Path(__file__).resolve().parents[2]


class Guardian:
    """The parent's side: reports trees, and starts another guardian if somebody killed this one."""

    def __init__(self) -> None:
        self._trees: dict[int, Tree] = {}
        self._process = self._start()

    def watch(self, tree: Tree) -> None:
        """Have the tree ended when this process ends. The report is safe once this returns."""
        self._trees[tree.pid] = tree
        self.keep()
        self._write({"watch": asdict(tree)})

    def forget(self, pid: int) -> None:
        """Stop caring about a tree that has ended."""
        if self._trees.pop(pid, None) is not None:
            self._write({"forget": pid})

    def keep(self) -> None:
        """Start the guardian again, with all it has to know, if it is gone."""
        if self._process.poll() is None:
            return
        self._hang_up()
        self._process = self._start()
        for tree in self._trees.values():
            self._write({"watch": asdict(tree)})

    def close(self) -> None:
        """End everything that is still reported, and the guardian itself."""
        self._hang_up()
        self._process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "memory_site.stack.guardian"],
            cwd=CHECKOUT,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            bufsize=0,
        )

    def _write(self, report: dict[str, object]) -> None:
        assert self._process.stdin is not None  # noqa: S101 - tells the type checker what PIPE means
        try:
            self._process.stdin.write(json.dumps(report).encode() + b"\n")
        except BrokenPipeError:
            self._process.wait()
            self.keep()

    def _hang_up(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()


@functools.cache
def guardian() -> Guardian:
    """Return the one guardian of this process."""
    made = Guardian()
    atexit.register(made.close)
    return made


def main() -> None:
    """Listen until the parent is gone, then end what is left of its services."""
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    trees: dict[int, Tree] = {}
    for line in sys.stdin.buffer:
        report = json.loads(line)
        if "watch" in report:
            tree = Tree(**report["watch"])
            trees[tree.pid] = tree
        else:
            trees.pop(report["forget"], None)
    end_in_waves(list(trees.values()))


if __name__ == "__main__":
    main()
