"""A local Elasticsearch by itself: `python -m memory_site.stack elasticsearch install|start|stop|wipe|url|exec`."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence

from memory_site.stack.elasticsearch import Elasticsearch
from memory_site.stack.errors import StackFailed
from memory_site.stack.guardian import CHECKOUT
from memory_site.stack.spawn import Child, Command

FOLDER = CHECKOUT / "var" / "elasticsearch"
QUICK_START = ("-XX:TieredStopAtLevel=1",)
"""Half the processor time until it answers, for less speed afterwards: right for tests, wrong for measuring."""
LOGS = CHECKOUT / "var" / "log"


def act(action: str, arguments: Sequence[str]) -> int:
    """Do what an action names and return the exit code."""
    return ACTIONS[action](arguments)


def _detached() -> Elasticsearch:
    """Return the server that stays when this process ends."""
    return Elasticsearch(FOLDER / "node", logs=LOGS, guarded=False)


def _install(_: Sequence[str]) -> int:
    print(_detached().node.programs)
    return 0


def _start(_: Sequence[str]) -> int:
    server = _detached()
    try:
        print(server.running_address())
    except StackFailed:
        print(server.start())
    return 0


def _stop(_: Sequence[str]) -> int:
    print("Stopped." if _detached().end_leftovers() else "It did not run.")
    return 0


def _wipe(_: Sequence[str]) -> int:
    _detached().wipe()
    return 0


def _url(_: Sequence[str]) -> int:
    print(_detached().running_address())
    return 0


def _exec(arguments: Sequence[str]) -> int:
    """Run Python with ELASTICSEARCH_URL naming a server of its own, empty and with a new trial licence."""
    server = Elasticsearch(FOLDER / "throwaway", logs=LOGS, java_options=QUICK_START)
    try:
        print("Starting Elasticsearch …", flush=True)
        server.wipe()
        environment = {**os.environ, "ELASTICSEARCH_URL": server.start()}
        argv = ["/bin/sh", "-c", 'exec "$@" 2>&1', "sh", sys.executable, *arguments]
        child = Child(Command(argv=argv, env=environment, cwd=CHECKOUT, log=LOGS / "engines.log"), stdout="terminal")
        try:
            child.go()
            return child.process.wait()
        finally:
            child.end()
    finally:
        server.wipe()


ACTIONS: Mapping[str, Callable[[Sequence[str]], int]] = {
    "install": _install,
    "start": _start,
    "stop": _stop,
    "wipe": _wipe,
    "url": _url,
    "exec": _exec,
}
