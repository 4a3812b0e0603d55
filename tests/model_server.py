"""A small model server as the tests need one: OpenAI's shape and Anthropic's, with answers that a test wrote down."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from typing import Any

from tests.json_servers import JsonHandler, serving

KEY = "key-of-the-model-server"


class ModelServer(ThreadingHTTPServer):
    """Answers as a script says.

    script: one after another, the last again and again: a text, a status to fail with, or bytes, which are the whole
    body as it is, a few at a time. pause_s: between the parts of such a body.
    requests: bodies it was sent. meanwhile: run while a caller waits for its answer.
    """

    daemon_threads = True
    script: list[str | int | bytes]
    requests: list[dict[str, Any]]
    pause_s: float = 0.0
    meanwhile: Callable[[], None] = staticmethod(lambda: None)

    @property
    def url(self) -> str:
        """Return the address as LLM takes it."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @property
    def anthropic_url(self) -> str:
        """Return the address as LLM takes it for Anthropic's shape."""
        return f"anthropic:{self.url}"

    def asked(self, at: int = -1) -> dict[str, Any]:
        """Return what a request was about; by default the last one."""
        content: str = self.requests[at]["messages"][-1]["content"]
        read: dict[str, Any] = json.loads(content.split("\n\n")[0])
        return read


class _Handler(JsonHandler):
    server: ModelServer

    def asked(self, body: Any) -> None:
        self.server.requests.append(body)
        self.server.meanwhile()
        said = self.server.script[min(len(self.server.requests), len(self.server.script)) - 1]
        messages = self.path == "/v1/messages"
        sent = self.headers.get("x-api-key") if messages else self.headers.get("Authorization")
        if sent != (KEY if messages else f"Bearer {KEY}"):
            said = 401
        if messages and (self.headers.get("anthropic-version") != "2023-06-01" or not body.get("max_tokens")):
            said = 400
        if isinstance(said, bytes):
            return self.answer_raw(said, pause_s=self.server.pause_s)
        if isinstance(said, int):
            return self.answer(said, {"error": {"message": "no"}})
        if messages:
            content = [{"type": "text", "text": said}]
            usage = {"input_tokens": 90, "cache_read_input_tokens": 10, "output_tokens": 10}
            return self.answer(200, {"type": "message", "role": "assistant", "content": content, "usage": usage})
        choice = {"message": {"role": "assistant", "content": said}}
        return self.answer(200, {"choices": [choice], "usage": {"prompt_tokens": 100, "completion_tokens": 10}})


@contextmanager
def model_server(*script: str | int | bytes) -> Iterator[ModelServer]:
    """Run a server on a free port for the block."""
    server = ModelServer(("127.0.0.1", 0), _Handler)
    server.script, server.requests = list(script), []
    with serving(server):
        yield server
