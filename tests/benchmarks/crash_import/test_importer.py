"""The import of the kill -9 proof gives nothing up and sends nothing twice under another key."""

import json
import random
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from benchmarks.crash_import.importer import Importer, Seen
from benchmarks.crash_import.killer import Killer
from memory_site.stack.stack import Stack


class Flaky(BaseHTTPRequestHandler):
    """Takes each third request only; a key it has seen is answered as before."""

    asked: ClassVar[list[str]] = []
    answers: ClassVar[dict[str, Any]] = {}

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        key = str(self.headers["Idempotency-Key"])
        self.asked.append(key)
        if len(self.asked) % 3 == 1:
            self.connection.close()
            return
        if len(self.asked) % 3 == 2:
            self._answer(503, {})
            return
        turns = body.get("turns", [body])
        made = [{"turn_id": turn["content"]} for turn in turns]
        answer = self.answers.setdefault(key, {"turns": made} if "turns" in body else made[0])
        self._answer(201, answer)

    def _answer(self, status: int, body: Any) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def flaky() -> Iterator[str]:
    Flaky.asked.clear()
    Flaky.answers.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Flaky)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_each_turn_is_sent_until_it_is_taken(flaky: str) -> None:
    seen = Seen()
    Importer(flaky, "key", 0, 8, seen, threading.Event()).run()
    words = [text.split()[-1] for text in seen.acknowledged[0]]
    assert words == [f"zebra0x{number}" for number in range(8)]
    assert Counter(Flaky.asked) == {"0-0": 3, "0-1": 3, "0-6": 3, "0-7": 3}
    assert seen.statuses == {0: 4, 503: 4, 201: 4}


def test_every_service_has_its_turn(tmp_path: Path) -> None:
    killer = Killer(stack=Stack(tmp_path), random=random.Random(1))  # noqa: S311
    drawn = Counter(killer.victims(20))
    assert set(drawn) == set(killer.stack.services)
    assert max(drawn.values()) - min(drawn.values()) <= 1
