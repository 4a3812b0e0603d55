"""Our own processes: the web server, the Celery worker, Celery beat and the sealer of the event log."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import httpx

from memory_site.stack.files import private_folder
from memory_site.stack.guardian import CHECKOUT
from memory_site.stack.ports import choose_port
from memory_site.stack.service import Service
from memory_site.stack.spawn import Command

Environment = Callable[[], Mapping[str, str]]


class Application(Service):
    """A process that runs our code.

    environment: gives its environment when it starts, which is when the addresses of the others are known.
    """

    def __init__(self, root: Path, environment: Environment, *, logs: Path | None = None) -> None:
        super().__init__(root, logs=logs)
        self._environment = environment

    @property
    def address(self) -> str:
        """Nobody asks it anything."""
        return ""

    def answers(self) -> bool:
        """Tell that it runs; should it end at once, the supervisor sees it."""
        return self.is_running

    def python(self, *arguments: str) -> Command:
        """Return the command that runs a Python module with our packages."""
        private_folder(self.root)
        argv = [sys.executable, "-m", *arguments]
        return Command(argv=argv, env=self._environment(), cwd=CHECKOUT, log=self.log)


class Web(Application):
    """The ASGI server."""

    name = "web"

    def __init__(self, root: Path, environment: Environment, *, workers: int, logs: Path | None = None) -> None:
        super().__init__(root, environment, logs=logs)
        self.port: int | None = None
        self._workers = workers

    @property
    def address(self) -> str:
        """The URL without a path."""
        return f"http://127.0.0.1:{self.port}"

    def command(self) -> Command:
        """Return uvicorn's command."""
        self.root.mkdir(parents=True, exist_ok=True)
        self.port = choose_port(self.port, memory=self.root / "port")
        where = ("--host", "127.0.0.1", "--port", str(self.port), "--workers", str(self._workers))
        ends = ("--timeout-graceful-shutdown", "5", "--lifespan", "off", "--no-access-log")
        sockets = ("--ws-max-size", "4096")  # bytes; what clients of the event stream say is short
        return self.python("uvicorn", "memory_site.asgi:application", *where, *sockets, *ends)

    def answers(self) -> bool:
        """Tell whether it says that it lives."""
        try:
            answer = httpx.get(f"{self.address}/health/live/", timeout=5)
        except httpx.TransportError:
            return False
        return answer.status_code == httpx.codes.OK


class Worker(Application):
    """The Celery worker with its pool of processes."""

    name = "worker"
    queue = "mneme"

    def __init__(self, root: Path, environment: Environment, *, processes: int, logs: Path | None = None) -> None:
        super().__init__(root, environment, logs=logs)
        self._processes = processes

    def command(self) -> Command:
        """Return Celery's command. It talks to no other worker, so it need not gossip with any."""
        alone = ("--without-gossip", "--without-mingle", "--without-heartbeat")
        pool = ("--pool", "prefork", "--concurrency", str(self._processes))
        return self.python(
            "celery", "-A", "memory_site", "worker", "-Q", self.queue, *pool, *alone, "--loglevel", "INFO"
        )


class Embedding(Worker):
    """The Celery worker that embeds, apart from the one that must not wait for it."""

    name = "embedding"
    queue = "embed"


class Beat(Application):
    """Celery's clock."""

    name = "beat"

    def command(self) -> Command:
        """Return Celery's command, with all its files in our folder."""
        files = ("--schedule", str(self.root / "schedule"), "--pidfile", "")
        return self.python("celery", "-A", "memory_site", "beat", *files, "--loglevel", "INFO")


class Sealer(Application):
    """The sealer of the event log."""

    name = "sealer"

    def command(self) -> Command:
        """Return Django's command."""
        return self.python("django", "seal_events")
