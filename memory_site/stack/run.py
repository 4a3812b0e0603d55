"""What `make run` does once the packages are installed."""

import contextlib
import os
import signal
import sys
import threading
import time
from pathlib import Path

from memory_site.stack.errors import StackFailed
from memory_site.stack.guardian import CHECKOUT
from memory_site.stack.spawn import Child, Command
from memory_site.stack.stack import Search, Stack
from memory_site.stack.supervisor import Supervisor
from memory_site.stack.tenants import write_local_file

LOOK_S = 0.2
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run(root: Path, *, search: Search, once: bool) -> None:
    """Start everything, replay the samples, and stay until told to stop (not at all, if once)."""
    began = time.monotonic()
    stack = Stack(root, search=search, keep=True)
    local = root / "local.json"
    try:
        print("Starting Postgres, Valkey, web, workers, beat and sealer …", flush=True)
        stack.up()
        supervisor = Supervisor(stack.services.values())
        write_local_file(stack, local)
        print(f"Up after {time.monotonic() - began:.1f} s. Replaying the samples:", flush=True)
        _replay(stack, local, supervisor)
        if not once:
            _say_where(stack, local)
            _stay(supervisor)
    finally:
        for name in STOPS:
            signal.signal(name, signal.SIG_IGN)  # whoever stops us twice must not interrupt the stopping
        stack.down()
    print(f"Done and stopped after {time.monotonic() - began:.1f} s.")


def listen_to_signals(parent: int | None) -> None:
    """Have every wish to stop, and the end of a parent, raise KeyboardInterrupt in the main thread."""
    for name in STOPS:
        signal.signal(name, signal.default_int_handler)
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def show(path: Path) -> str:
    """Return a path as a person in the checkout would write it."""
    return str(path.relative_to(CHECKOUT) if path.is_relative_to(CHECKOUT) else path)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_S)
    os.kill(os.getpid(), signal.SIGTERM)


def _replay(stack: Stack, local: Path, supervisor: Supervisor) -> None:
    log = stack.logs / "demo.log"
    argv = [sys.executable, "-m", "memory_site.demo", "--url", stack.url, "--keys-file", str(local)]
    child = Child(Command(argv=argv, env=os.environ, cwd=CHECKOUT, log=log), stdout="terminal")
    try:
        child.go()
        while child.process.poll() is None:
            supervisor.check()
            time.sleep(LOOK_S)
    finally:
        child.end()
    if child.process.returncode:
        said = log.read_text(encoding="utf-8").splitlines() or [
            f"the samples could not be replayed: see {stack.logs}"
        ]
        raise StackFailed(said[-1])


def _stay(supervisor: Supervisor) -> None:
    """Look after the services until somebody says stop, which is how this is meant to end."""
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            supervisor.check()
            time.sleep(LOOK_S)


def _say_where(stack: Stack, local: Path) -> None:
    print(f"Mneme answers at {stack.url}")
    print(f"The admin is at {stack.url}/admin/, user admin, password in {show(local)}")
    print(f"Keys of the tenants acme and globex: {show(local)}")
    print(f"Logs: {show(stack.logs)}. Ctrl-C stops everything.", flush=True)
