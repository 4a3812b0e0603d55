"""A model behind HTTP, in the shape of OpenAI's `POST /chat/completions`, which most inference servers speak.

Source: OpenAI API reference, Chat; also vLLM, Ollama, LM Studio, llama.cpp, and the gateways of other vendors.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from backends.errors import Refused, Rejected, Unavailable
from backends.llms.base import LLM, Completion

TIMEOUT_S = 60.0
CONNECT_TIMEOUT_S = 3.0
ANSWER_MAX_TOKENS = 4_000
ANSWER_MAX_BYTES = 1_000_000
_TRY_AGAIN = frozenset({408, 409, 425, 429})


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where the model is. url: up to and without `/chat/completions`. api_key: empty = none is sent."""

    url: str
    model: str
    api_key: str = ""


class HttpLLM(LLM):
    """A model on another server, asked at temperature 0."""

    def __init__(self, server: Server) -> None:
        self.model = server.model
        self._server = server
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None

    def complete(self, system: str, user: str, *, schema: Mapping[str, Any]) -> Completion:
        """Answer once."""
        body = {
            "model": self.model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "temperature": 0,
            "max_tokens": ANSWER_MAX_TOKENS,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": dict(schema), "strict": True},
            },
        }
        try:
            answer = self._opened().post("chat/completions", json=body)
        except httpx.HTTPError as error:
            raise Unavailable(f"the model did not answer ({type(error).__name__})") from error
        _check(answer)
        return _completion(answer)

    def _opened(self) -> httpx.Client:
        with self._lock:
            if self._client is None:
                headers = {"Authorization": f"Bearer {self._server.api_key}"} if self._server.api_key else {}
                self._client = httpx.Client(
                    base_url=self._server.url.rstrip("/") + "/",
                    headers=headers,
                    timeout=httpx.Timeout(TIMEOUT_S, connect=CONNECT_TIMEOUT_S),
                )
            return self._client


def _completion(answer: httpx.Response) -> Completion:
    if len(answer.content) > ANSWER_MAX_BYTES:
        raise Rejected("the model answered more than anybody asked for")
    try:
        read = answer.json()
        text = read["choices"][0]["message"]["content"]
        used = read.get("usage") or {}
        tokens = int(used.get("prompt_tokens") or 0), int(used.get("completion_tokens") or 0)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise Unavailable("the model answered something that holds no completion") from error
    return Completion(
        text=text if isinstance(text, str) else "", prompt_tokens=tokens[0], completion_tokens=tokens[1]
    )


def _check(answer: httpx.Response) -> None:
    """Raise for a status that is no success; the body is not repeated, since it may hold the text."""
    if answer.is_success:
        return
    status = answer.status_code
    if status >= httpx.codes.INTERNAL_SERVER_ERROR or status in _TRY_AGAIN:
        raise Unavailable(f"the model answered {status}")
    if status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
        raise Refused(f"the model answered {status}; look LLM_API_KEY up")
    raise Rejected(f"the model answered {status}")
