"""Free TCP ports of 127.0.0.1."""

import contextlib
import random
import socket
import time
from pathlib import Path

from memory_site.stack.errors import StackFailed

PATIENCE_S = 5.0
FIRST, LAST = 20_000, 32_000
"""Below the range the kernel takes outgoing ports from: a client's retries can never occupy a server's port."""


def choose_port(fixed: int | None, *, memory: Path) -> int:
    """Return the port for a server that is about to start.

    fixed: the port others know already, so no other will do; None when it may be chosen.
    memory: file with the port of an earlier run, which is taken again if it is free.

    Raises StackFailed, when the fixed port is taken and stays so.
    """
    if fixed is not None:
        if not _becomes_free(fixed):
            raise StackFailed(f"port {fixed} was taken by another program: end that one, or start all anew")
        return fixed
    remembered = int(memory.read_text(encoding="ascii")) if memory.exists() else None
    port = free_port(remembered)
    memory.write_text(str(port), encoding="ascii")
    return port


def free_port(preferred: int | None = None) -> int:
    """Return a port that nobody listens on: the preferred one if possible, else one by chance."""
    if preferred is not None and is_free(preferred):
        return preferred
    while True:
        port = random.randrange(FIRST, LAST)  # noqa: S311 - chance, not secrecy
        if is_free(port):
            return port


def _becomes_free(port: int) -> bool:
    """Wait a little: threads of a killed server hold its port for a moment after it is counted as dead."""
    deadline = time.monotonic() + PATIENCE_S
    while not is_free(port):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def is_free(port: int) -> bool:
    """Tell whether a server could listen on the port now."""
    with socket.socket() as probe, contextlib.suppress(OSError):
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))
        return True
    return False
