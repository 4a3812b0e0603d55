"""A model behind HTTP, in the shape of OpenAI's `POST /chat/completions`, which most inference servers speak.

Source: OpenAI API reference, Chat; also vLLM, Ollama, LM Studio, llama.cpp, and the gateways of other vendors.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from backends.errors import Unavailable
from backends.json_server import JsonServer
from backends.llms.base import LLM, Completion, tokens

TIMEOUT_S = 60.0
CONNECT_TIMEOUT_S = 3.0
ANSWER_MAX_TOKENS = 4_000
ANSWER_MAX_BYTES = 1_000_000


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
        self.provider = urlsplit(server.url).hostname or ""
        self._json = JsonServer(
            server.url,
            api_key=server.api_key,
            what="model",
            setting="LLM_API_KEY",
            connect_timeout_s=CONNECT_TIMEOUT_S,
            answer_max_bytes=ANSWER_MAX_BYTES,
        )

    def complete(
        self, system: str, user: str, *, schema: Mapping[str, Any], timeout_s: float | None = None
    ) -> Completion:
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
        return _completion(self._json.post("chat/completions", body, timeout_s=timeout_s or TIMEOUT_S))


def _completion(read: Any) -> Completion:
    try:
        text = read["choices"][0]["message"]["content"]
        used = read.get("usage") or {}
        prompt_tokens, completion_tokens = tokens(used.get("prompt_tokens")), tokens(used.get("completion_tokens"))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise Unavailable("the model answered something that holds no completion") from error
    return Completion(
        text=text if isinstance(text, str) else "", prompt_tokens=prompt_tokens, completion_tokens=completion_tokens
    )
