"""What a client puts into a URL by mistake is not in the log of a real server, whatever becomes of the request."""

import logging
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

from memory_site.no_query import NoQuery
from memory_site.stack.applications import Web
from memory_site.stack.spawn import Command
from tests.conftest import Caller

SECRET = "mneme_zebrafinch"


class WithAccessLog(Web):
    """The web server as somebody may run it who wants its access log."""

    def command(self) -> Command:
        """Return the command without the option that leaves the access log out."""
        usual = super().command()
        argv = [part for part in usual.argv if part != "--no-access-log"]
        assert len(argv) == len(usual.argv) - 1
        return Command(argv=argv, env=usual.env, cwd=usual.cwd, log=usual.log)


@pytest.fixture(scope="module", params=[Web, WithAccessLog])
def web(request: pytest.FixtureRequest, django_db_setup: None) -> Iterator[Web]:
    """Run the web server on the database of the tests."""
    with tempfile.TemporaryDirectory(prefix="mneme-web-") as folder:
        server = request.param(Path(folder), lambda: dict(os.environ), workers=1)
        server.start()
        yield server
        server.stop()


def lines_with(web: Web, word: str, count: int) -> list[str]:
    """Return the lines of the log with a word, when there are as many as expected or after some seconds."""
    for _ in range(50):
        found = [line for line in web.log.read_text(encoding="utf-8").splitlines() if word in line]
        if len(found) >= count:
            break
        time.sleep(0.1)
    return found


def test_no_query_string_is_in_the_log(web: Web, acme: Caller) -> None:
    query = f"key={SECRET}&a=?{SECRET}&/{SECRET}"
    address = web.address.replace("http", "ws", 1)
    tried: tuple[tuple[str, dict[str, str]], ...] = (
        ("/ws/events/", {"Authorization": f"Bearer {acme.secret}"}),  # accepted
        ("/ws/events/", {"Origin": web.address}),  # accepted, and closed for want of a key
        ("/ws/events/", {"Origin": "http://evil.example"}),  # refused
        ("/ws/nowhere/", {}),
    )
    for path, headers in tried:
        with (
            suppress(InvalidHandshake, ConnectionClosed),
            connect(f"{address}{path}?{query}", additional_headers=headers) as socket,
        ):
            socket.recv(timeout=1) if "Origin" in headers else socket.ping()
    for path in ("/health/live/", "/api/v1/keys/me/", "/nowhere/", "/admin/", "/api/schema/"):
        httpx.get(f"{web.address}{path}?{query}")
    assert len(lines_with(web, "WebSocket /ws/events/", 3)) == 3
    if isinstance(web, WithAccessLog):
        assert lines_with(web, "GET /api/v1/keys/me/ ", 1)
    assert "zebrafinch" not in web.log.read_text(encoding="utf-8")


@pytest.mark.parametrize("target", ["/a?b=c", "http://h/a?b=c", "*", "/a?", "?b"])
def test_only_query_strings_are_cut(target: str) -> None:
    record = logging.LogRecord("x", logging.INFO, "", 0, '%s - "%s" %d', ("1.2.3.4:5", target, 200), None)
    assert NoQuery().filter(record)
    assert record.getMessage() == f'1.2.3.4:5 - "{target.split("?")[0]}" 200'
