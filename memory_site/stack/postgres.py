"""Postgres 18 with pgvector from its wheel, run as a child of our own.

The wheel's launcher is not used: it would trust every local user, open /root when run as root, and end with its
last Python handle.
"""

import functools
import signal
from collections.abc import Mapping
from pathlib import Path

import psycopg

from memory_site.stack.cluster import Cluster
from memory_site.stack.ports import choose_port
from memory_site.stack.processes import kill_in
from memory_site.stack.service import Service, plain_environment
from memory_site.stack.spawn import Command

SETTINGS: Mapping[str, str] = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "shared_buffers": "256MB",
    "effective_cache_size": "1GB",
    "maintenance_work_mem": "128MB",
    "random_page_cost": "1.1",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] %u@%d ",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}
"""For a machine of two cores and a few gigabytes. What is not here is Postgres' default: fsync stays on.

No statement and no detail of an error is logged: a detail names the values of a key that exists already.
"""


class Postgres(Service):
    """A Postgres server with its data below root; the superuser's password is made by chance and kept there.

    port: the one to use; None for the one of an earlier start if it is free, else one by chance.
    settings: Postgres settings over SETTINGS, such as fsync=off for data that is thrown away.
    """

    name = "postgres"

    def __init__(
        self,
        root: Path,
        port: int | None = None,
        *,
        logs: Path | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(root, logs=logs)
        self.port = port
        self._settings = {**SETTINGS, **(settings or {})}

    @functools.cached_property
    def cluster(self) -> Cluster:
        """The server's data and programs."""
        return Cluster(self.root, log=self.log)

    @property
    def address(self) -> str:
        """The superuser's connection string."""
        return f"postgresql://postgres:{self.cluster.password()}@127.0.0.1:{self.port}/postgres"

    def command(self) -> Command:
        """Make the data if there is none, clear what a crash left, and return the server's command."""
        cluster = self.cluster
        cluster.make()
        # Postgres refuses a crashed server's lock file if its pid is a zombie's or, by now, somebody else's. We
        # hold the folder and nobody works in the data any more, so the file cannot be a living server's.
        kill_in(str(cluster.data))
        (cluster.data / "postmaster.pid").unlink(missing_ok=True)
        self.port = choose_port(self.port, memory=self.root / "port")
        options = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        return Command(
            argv=[cluster.binaries / "postgres", "-D", cluster.data, "-p", str(self.port), *options],
            env=plain_environment(),
            cwd=cluster.home,
            log=self.log,
            account=cluster.account,
            stop_signal=signal.SIGINT,  # "fast": ends sessions, writes a checkpoint
            grace_s=30.0,
            home=str(cluster.data),
            wave=1,
        )

    def answers(self) -> bool:
        """Tell whether the superuser can connect."""
        try:
            psycopg.connect(self.address, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def remove(self) -> None:
        """Kill it, since nothing of it will be wanted, and remove all its data."""
        self.kill()
        self.cluster.remove()
