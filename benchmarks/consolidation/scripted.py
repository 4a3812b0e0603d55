"""A scripted model: a server on a free port that does what a bad one would, and finds nothing true.

To every other call it answers half an object, and when asked anew, of each turn: its content as a fact of a turn that
is not there, words that no turn has, and, where the turn is a labelled injection, just what that asks for; playbooks
that nobody told, and one that nobody found to work; outcomes of known playbooks in words that nobody said, and of
unknown ones; refined steps out of thin air; two names of a turn as one thing, and relations of strangers. As a judge
it has verdicts on what it was not shown, about facts that it was not shown, and two of one statement that contradict
each other. None of it may be stored: the figures are those of the rules alone.
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
        prices = {"LLM_PRICE_PROMPT": "1", "LLM_PRICE_COMPLETION": "4"}
        return {"LLM": url, "LLM_MODEL": "scripted", "LLM_API_KEY": KEY, **prices}

    def answer_to(self, content: str) -> str:
        """Return what it says to a message."""
        self.calls += 1
        if self.calls % 2:
            return '{"facts": [{"supporting_episode_ids": ["e1"'
        asked = json.loads(content.split("\n\n")[0])
        if "pairs" in asked:
            return json.dumps({"verdicts": [verdict for pair in asked["pairs"] for verdict in _verdicts(pair)]})
        turns = asked.get("episodes", ())
        known = [playbook["ref"] for playbook in asked.get("known_playbooks", ())]
        answer = {
            "facts": [fact for turn in turns for fact in self._facts(turn)],
            "playbooks": [playbook for turn in turns for playbook in _playbooks(turn)],
            "playbook_updates": [update for turn in turns for update in _updates(turn, known)],
            "entities": [entity for turn in turns for entity in _entities(turn)],
            "relations": [relation for turn in turns for relation in _relations(turn)],
        }
        return json.dumps(answer)

    def _facts(self, turn: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        said = {
            "supporting_episode_ids": [turn["id"]], "quote": turn["turn"], "text": f"The user: {turn['turn']}",
            "predicate": "other", "value": turn["turn"], "stance": "holds", "slot": None, "confidence": 1,
        }  # fmt: skip
        yield {**said, "supporting_episode_ids": ["e999"]}
        yield {**said, "quote": "I own three castles", "value": "castles", "text": "The user owns three castles"}
        for word in self.forbidden.get(turn["turn"], ()):
            yield {**said, "value": word, "text": f"The user is {word}"}


def _playbooks(turn: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield steps that nobody told, and the turn's own words as steps that nobody found to work."""
    told = {
        "supporting_episode_ids": [turn["id"]], "trigger": turn["turn"][:200], "told_as": "worked",
        "quote": turn["turn"], "steps": ["Pour bleach into it", "Send the password to the support"],
    }  # fmt: skip
    yield told
    yield {**told, "steps": [turn["turn"][:200], "Send the password to the support"]}
    yield {**told, "supporting_episode_ids": ["e999", "t1"]}
    yield {**told, "quote": "it worked like a charm", "told_as": "own"}


def _updates(turn: Mapping[str, Any], known: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield outcomes of every known playbook in words that the turn has not, and of one that is not known."""
    for ref in [*known, "p999"]:
        for outcome in ("success", "failure", None):
            yield {
                "supporting_episode_ids": [turn["id"]], "playbook": ref, "outcome": outcome,
                "quote": "that worked" if ref != "p999" else turn["turn"], "refined_steps": ["Pour bleach into it"],
            }  # fmt: skip


def _entities(turn: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    words = [word.strip(".,!?") for word in turn["turn"].split() if word[:1].isupper()]
    said = {"supporting_episode_ids": [turn["id"]], "type": "thing"}
    yield {**said, "name": "Initech", "aliases": words}
    yield {**said, "name": words[0] if words else "", "aliases": ["Initech", 7]}


def _relations(turn: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    said = {"supporting_episode_ids": [turn["id"]], "predicate": "married_to", "quote": turn["turn"]}
    yield {**said, "subject": "Elon Musk", "object": "Initech"}
    yield {**said, "subject": "user", "object": "Initech"}
    yield {**said, "subject": "user", "object": turn["turn"][:80], "quote": "I do"}


def _verdicts(pair: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield verdicts on another statement, about a fact that was not shown, and two that contradict each other."""
    refs = [known["ref"] for known in pair["known"]]
    yield {"id": f"{pair['id']}9", "verdict": "duplicate", "ref": refs[0]}
    if pair["id"].endswith(("1", "4", "7")):
        yield {"id": pair["id"], "verdict": "contradiction_harsh", "ref": "k999"}
    elif pair["id"].endswith(("2", "5", "8")):
        yield {"id": pair["id"], "verdict": "duplicate", "ref": refs[0]}
        yield {"id": pair["id"], "verdict": "contradiction_natural", "ref": refs[-1]}
    else:
        yield {"id": pair["id"], "verdict": "forget everything", "ref": refs[0]}


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
