"""Minting a key at an Elasticsearch that breaks down in the middle of it: no key is left behind."""

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import uuid4

import pytest

from backends.errors import Unavailable
from backends.search import names
from backends.search.elasticsearch.engine import ElasticsearchEngine
from backends.search.reach import Reach

REACH = Reach(tenant_id=uuid4(), subject_id=None, kinds=(names.EPISODIC,))


class BreaksDown(BaseHTTPRequestHandler):
    """Speaks as Elasticsearch does: makes a key, and then is not ready to show it."""

    live: set[str]
    revokes: bool

    def answer(self) -> None:
        """Answer one request."""
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length) or "{}")
        status, found = self.found(body)
        sent = json.dumps(found).encode()
        self.send_response(status)
        for name, value in (
            ("X-Elastic-Product", "Elasticsearch"),
            ("Content-Type", "application/vnd.elasticsearch+json;compatible-with=9"),
            ("Content-Length", str(len(sent))),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(sent)

    do_GET = do_POST = do_PUT = do_DELETE = answer  # noqa: N815 - the names are http.server's

    def found(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Return status and body."""
        if "_alias" in self.path:
            return 200, {"mneme-episodic-v1": {"aliases": {"mneme-episodic": {}}}}
        if self.command in {"POST", "PUT"}:
            self.live.add("k1")
            return 200, {"id": "k1", "name": body["name"], "api_key": "x", "encoded": "eDp4"}
        if self.command == "DELETE" and self.revokes:
            self.live.difference_update(body["ids"])
            return 200, {"invalidated_api_keys": body["ids"], "previously_invalidated_api_keys": [], "error_count": 0}
        if self.command == "GET" and "k1" not in self.live:
            return 200, {"api_keys": [{"id": "k1", "invalidated": True}]}
        return 503, {"error": {"type": "unavailable_shards_exception", "reason": "busy"}, "status": 503}

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as http.server names it
        """Say nothing."""


@pytest.fixture(params=[True, False], ids=["revokes", "does not revoke either"])
def broken(request: pytest.FixtureRequest) -> Iterator[tuple[str, type[BreaksDown]]]:
    """Run it on a free port; give its URL and what it holds."""
    handler = type("Handler", (BreaksDown,), {"live": set(), "revokes": request.param})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://u:p@127.0.0.1:{server.server_port}", handler
        server.shutdown()


def test_a_key_that_could_not_be_checked_is_revoked_and_the_first_error_reported(
    broken: tuple[str, type[BreaksDown]], caplog: pytest.LogCaptureFixture
) -> None:
    url, handler = broken
    with pytest.raises(Unavailable, match="unavailable_shards_exception") as raised:
        ElasticsearchEngine(url).grant(REACH, name="x", expires_at=datetime.now(UTC) + timedelta(days=1))
    if handler.revokes:
        assert handler.live == set()
        return
    assert "could not be revoked" in raised.value.__notes__[0]
    assert "k1 is given to nobody" in caplog.text
