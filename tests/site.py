"""A whole running stack, and a tenant's ways to use it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from memory_site.stack.stack import Name, Search, Stack

WAIT_S = 90.0


class Site:
    """A stack with a tenant's key."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.key = stack.create_tenant("acme")

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> httpx.Response:
        """Send a request with the key."""
        return httpx.request(
            method,
            f"{self.stack.url}/api/v1/{path}",
            json=body,
            headers={"Authorization": f"Bearer {self.key}"},
            timeout=30,
        )

    def write(self, content: str) -> None:
        """Write a turn; it must be accepted, whatever is away."""
        answer = self.call("POST", "turns/", {"user_id": "u", "session_id": "s", "content": content})
        assert answer.status_code == 201, answer.text
        assert answer.json()["indexed"] == "pending"

    def ask(self, query: str, **fields: Any) -> dict[str, Any]:
        """Ask a question; it must be answered."""
        answer = self.call("POST", "recall/", {"user_id": "u", "query": query, **fields})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def pending(self) -> int:
        """Return the backlog."""
        return int(self.call("GET", "sync/").json()["pending"])

    def wait_for_sync(self) -> None:
        """Wait until everything is in the engine."""
        deadline = time.monotonic() + WAIT_S
        while self.pending():
            assert time.monotonic() < deadline, "sync does not catch up"
            time.sleep(0.2)

    @contextmanager
    def without(self, *names: Name) -> Iterator[None]:
        """Run the block while services are dead, then start them again."""
        for name in names:
            self.stack.kill(name)
        try:
            yield
        finally:
            for name in names:
                self.stack.start(name)


@contextmanager
def running(search: Search, folder: Path) -> Iterator[Site]:
    """Start a stack of one tenant for the block."""
    with Stack(folder / "var", search=search, web_workers=1, worker_processes=1) as stack:
        yield Site(stack)
