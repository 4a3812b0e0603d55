"""A real Elasticsearch of one node, for tests and for `make run SEARCH=elasticsearch`.

Security is on, since it is what keeps tenants apart; the trial licence gives document-level security for 30 days a
data directory. TLS is off: it listens on 127.0.0.1 only.
"""

import functools
from collections.abc import Sequence
from pathlib import Path

import httpx

from memory_site.stack.errors import StackFailed
from memory_site.stack.node import Node
from memory_site.stack.ports import choose_port
from memory_site.stack.service import Service
from memory_site.stack.spawn import Command


class Elasticsearch(Service):
    """An Elasticsearch server with its data below root; the password of `elastic` is made by chance.

    guarded: whether it ends with this process.
    java_options: over those it has anyway.
    """

    name = "elasticsearch"
    ready_within_s = 120.0

    def __init__(
        self,
        root: Path,
        port: int | None = None,
        *,
        logs: Path | None = None,
        guarded: bool = True,
        java_options: Sequence[str] = (),
    ) -> None:
        super().__init__(root, logs=logs)
        self.port = port
        self.guarded = guarded
        self._java_options = java_options

    @functools.cached_property
    def node(self) -> Node:
        """The server's data and programs; the latter are fetched the first time."""
        return Node(self.root, log=self.log)

    @property
    def address(self) -> str:
        """The URL of the superuser."""
        return f"http://elastic:{self.node.password()}@127.0.0.1:{self.port}"

    def command(self) -> Command:
        """Install and configure what is missing, and return the launcher's command."""
        node = self.node
        _ = node.java, node.programs  # what is missing is said before anything is written
        self.port = choose_port(self.port, memory=self.root / "port")
        node.configure(self.port, java_options=self._java_options)
        classes = f"{node.programs}/lib/tools/server-launcher/*"
        return node.command("-cp", classes, "org.elasticsearch.server.launcher.ServerLauncher", grace_s=30.0)

    def answers(self) -> bool:
        """Tell whether all primary shards are there.

        Raises StackFailed, when the trial licence has ended.
        """
        with httpx.Client(
            base_url=f"http://127.0.0.1:{self.port}", auth=("elastic", self.node.password()), timeout=10
        ) as client:
            try:
                health = client.get("/_cluster/health", params={"wait_for_status": "yellow", "timeout": "1s"})
                licence = client.get("/_license")
            except httpx.TransportError:
                return False
        if health.status_code != httpx.codes.OK or licence.status_code != httpx.codes.OK:
            return False
        if licence.json()["license"]["status"] == "expired":
            raise StackFailed(
                f"the 30 days of the trial licence in {self.root} are over: "
                "`python -m memory_site.stack elasticsearch wipe` removes the index and begins a new trial"
            )
        return True

    def running_address(self) -> str:
        """Return the address of a server that an earlier process started.

        Raises StackFailed, when none runs.
        """
        memory = self.root / "port"
        self.port = int(memory.read_text(encoding="ascii")) if memory.exists() else None
        if self.port is None or not self.answers():
            raise StackFailed(
                "Elasticsearch does not run: `python -m memory_site.stack elasticsearch start` starts it"
            )
        return self.address

    def wipe(self) -> None:
        """Stop it and remove its data, and the licence with it."""
        self.stop()
        self.end_leftovers()
        self.node.wipe()

    def remove(self) -> None:
        """Kill it, since nothing of it will be wanted, and remove all but the programs."""
        self.kill()
        self.node.remove()
