"""A scripted model: a server on a free port that does what a bad one would, and finds nothing true.

To every other call it answers half an object, and when asked anew: each turn's content as a fact of a turn that is
not there, as words that no turn has, and, where the turn is a labelled injection, just what that asks for. None of it
may be stored: the figures are those of the rules alone.
"""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from benchmarks.consolidation.labelled import Conversation

KEY = "key-of-the-scripted-model"
PROMPT_TOKENS, COMPLETION_TOKENS = 100, 10


class Scripted(ThreadingHTTPServer):
    """The server. forbidden: by a turn's content, words that nothing stored may have. calls: answered so far."""

    daemon_threads = True
    forbidden: Mapping[str, Sequence[str]]
    calls: int

    @property
    def settings(self) -> dict[str, str]:
        """Return what a site is set up with to ask it."""
        url = f"http://127.0.0.1:{self.server_address[1]}/v1"
        return {"LLM": url, "LLM_MODEL": "scripted", "LLM_API_KEY": KEY}

    def answer_to(self, content: str) -> str:
        """Return what it says to a message."""
        self.calls += 1
        if self.calls % 2:
            return '{"facts": [{"supporting_episode_ids": ["e1"'
        asked = json.loads(content.split("\n\n")[0])
        return json.dumps({"facts": [fact for turn in asked.get("episodes", ()) for fact in self._facts(turn)]})

    def _facts(self, turn: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        said = {
            "supporting_episode_ids": [turn["id"]], "quote": turn["turn"], "text": f"The user: {turn['turn']}",
            "predicate": "other", "value": turn["turn"], "stance": "holds", "slot": None, "confidence": 1,
        }  # fmt: skip
        yield {**said, "supporting_episode_ids": ["e999"]}
        yield {**said, "quote": "I own three castles", "value": "castles", "text": "The user owns three castles"}
        for word in self.forbidden.get(turn["turn"], ()):
            yield {**said, "value": word, "text": f"The user is {word}"}


class _Handler(BaseHTTPRequestHandler):
    server: Scripted

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = {"role": "assistant", "content": self.server.answer_to(body["messages"][-1]["content"])}
        usage = {"prompt_tokens": PROMPT_TOKENS, "completion_tokens": COMPLETION_TOKENS}
        content = json.dumps({"choices": [{"message": message}], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def scripted(conversations: Sequence[Conversation]) -> Iterator[Scripted]:
    """Run the server for the block."""
    server = Scripted(("127.0.0.1", 0), _Handler)
    server.forbidden = {turn.content: turn.forbidden for told in conversations for turn in told.turns}
    server.calls = 0
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
