"""The real Valkey of the wheel: its password and its file."""

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
import redis

from memory_site.stack.valkey import Valkey


@pytest.fixture
def valkey(folder: Path) -> Iterator[Valkey]:
    server = Valkey(folder)
    server.start()
    yield server
    server.stop()


def test_it_wants_a_password_that_the_process_list_does_not_show(valkey: Valkey) -> None:
    with redis.Redis(port=valkey.port or 0) as client, pytest.raises(redis.AuthenticationError):
        client.ping()
    assert valkey.process is not None
    password = (valkey.root / "password").read_text()
    assert password not in " ".join(psutil.Process(valkey.process.pid).cmdline())
    assert (valkey.root / "valkey.conf").stat().st_mode & 0o777 == 0o600


def test_a_message_is_there_after_kill_9_and_none_is_evicted(valkey: Valkey) -> None:
    with redis.Redis.from_url(valkey.address) as client:
        client.lpush("queue", "message")
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
    valkey.kill()
    valkey.start()
    with redis.Redis.from_url(valkey.address) as client:
        assert client.lrange("queue", 0, -1) == [b"message"]
