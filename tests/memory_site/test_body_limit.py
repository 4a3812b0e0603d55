"""Bodies on the wire, at a real server: too long ones are not read, chunked ones are."""

import json
import os
import tempfile
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import httpx
import pytest

from memory_site.stack.applications import Web
from tests.conftest import Caller, make_caller

TURN = b'{"user_id": "u1", "session_id": "s1", "content": "hello"}'
MIB = 1024 * 1024


@pytest.fixture(scope="module")
def web(django_db_setup: None) -> Iterator[Web]:
    """Run the web server on the database of the tests."""
    with tempfile.TemporaryDirectory(prefix="mneme-web-") as folder:
        server = Web(Path(folder), lambda: dict(os.environ), workers=2)
        server.start()
        yield server
        server.stop()


def send(web: Web, headers: dict[str, str], *pieces: bytes) -> tuple[HTTPResponse, bytes]:
    """Post pieces of a body as they are, and return the answer."""
    connection = HTTPConnection("127.0.0.1", int(str(web.port)), timeout=10)
    try:
        connection.putrequest("POST", "/api/v1/turns/")
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        for piece in pieces:
            connection.send(piece)
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def test_a_body_that_is_announced_too_long_is_refused_unread_and_without_a_key(web: Web) -> None:
    answer, body = send(web, {"Content-Length": str(MIB + 1), "X-Request-ID": "t-1"})
    assert answer.status == 413
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["X-Request-ID"] == "t-1"
    assert json.loads(body)["type"] == "/problems/too-long/"


def test_a_chunked_body_that_grows_too_long_is_refused(web: Web) -> None:
    chunk = b"100000\r\n" + b"x" * MIB + b"\r\n"
    answer, _ = send(web, {"Transfer-Encoding": "chunked"}, *[chunk] * 20)
    assert answer.status == 413


def test_a_chunked_body_is_read(web: Web, record: None) -> None:
    acme: Caller = make_caller("acme")
    long = b'{"turns": [' + b", ".join([TURN.replace(b"hello", b"x" * 30_000)] * 60) + b"]}"
    for path, body in (("turns/", TURN), ("turns/batch/", long)):
        answer = httpx.post(
            f"{web.address}/api/v1/{path}",
            content=iter([body[:7], body[7:]]),
            headers={"Authorization": f"Bearer {acme.secret}", "Content-Type": "application/json"},
            timeout=30,
        )
        assert answer.request.headers["Transfer-Encoding"] == "chunked"
        assert answer.status_code == 201, answer.text


def test_a_host_that_is_not_ours_is_a_problem_and_one_line_of_the_log(web: Web) -> None:
    before = len(web.log.read_text(encoding="utf-8"))
    answer = httpx.get(f"{web.address}/api/v1/keys/me/", headers={"Host": "evil.example"})
    assert answer.status_code == 400
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["request_id"] == answer.headers["X-Request-ID"]
    logged = web.log.read_text(encoding="utf-8")[before:]
    assert "evil.example" in logged
    assert "Traceback" not in logged


def test_an_answer_on_a_kept_connection_is_not_held_back(web: Web) -> None:
    with httpx.Client(base_url=web.address) as client:
        took_s = []
        for _ in range(30):
            start = time.perf_counter()
            client.get("/health/live/")
            took_s.append(time.perf_counter() - start)
    assert min(took_s[5:]) < 0.03  # an acknowledgement that is waited for comes after 40 ms
