"""Loaded before Django: the environment of the tests, and the Postgres they run on.

A server of our own on a free port: real roles, real row-level security, nothing shared with anything else.
"""

import os
import secrets
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from memory_site.stack.logins import LOGINS, provision
from memory_site.stack.postgres import Postgres

DATABASE = "mneme_test"
PASSWORDS = {login: secrets.token_urlsafe(16) for login in LOGINS}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


PORT = _free_port()


def database_url(login: str) -> str:
    """Return the URL of the test database for one login."""
    return f"postgresql://{login}:{PASSWORDS[login]}@127.0.0.1:{PORT}/{DATABASE}"


os.environ.update(
    DJANGO_SETTINGS_MODULE="memory_site.settings",
    SECRET_KEY=secrets.token_urlsafe(48),
    ENGINE_KEYS=Fernet.generate_key().decode(),
    DATABASE_URL=database_url("mneme_web"),
    DATABASE_POOL_SIZE="0",  # tests change logins; a pool would keep the old ones
    REDIS_URL=f"redis://127.0.0.1:{_free_port()}/0",  # nobody listens: wake-ups are a courtesy
    ERASURES_FILE=str(Path(tempfile.gettempdir()) / f"mneme-erasures-{PORT}.jsonl"),
    OPENBLAS_NUM_THREADS="1",
)
os.environ.pop("SEARCH_URL", None)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """Start a Postgres for the session, with logins, roles and an empty database."""
    with tempfile.TemporaryDirectory(prefix="mneme-test-", ignore_cleanup_errors=True) as folder:
        server = Postgres(Path(folder), PORT, settings={"fsync": "off"})  # it outlives no crash
        dsn = server.start()
        try:
            provision(dsn, database=DATABASE, passwords=PASSWORDS)
            yield server
        finally:
            server.remove()


@pytest.fixture(scope="session")
def superuser_dsn(postgres_server: Postgres) -> str:
    """Return the DSN of the server's superuser."""
    return postgres_server.address
