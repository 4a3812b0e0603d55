"""A model behind HTTP, in the shape of Anthropic's `POST /v1/messages`, which some gateways speak too.

Source: Claude API reference, Messages and Structured outputs (version 2023-06-01).
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from backends.errors import Unavailable
from backends.json_server import JsonServer
from backends.llms.base import LLM, Completion, tokens
from backends.llms.http import ANSWER_MAX_BYTES, ANSWER_MAX_TOKENS, CONNECT_TIMEOUT_S, TIMEOUT_S, Server

PREFIX = "anthropic:"
VERSION = "2023-06-01"
_LIMITS = {
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
    "minItems", "maxItems", "uniqueItems",
}  # fmt: skip
"""What a schema may not say there; what reads the answer checks it anyway."""


class AnthropicLLM(LLM):
    """A model on another server. No temperature is sent: the newer models refuse one."""

    def __init__(self, server: Server) -> None:
        self.model = server.model
        self.provider = urlsplit(server.url).hostname or ""
        self._json = JsonServer(
            server.url,
            api_key="",
            headers={"anthropic-version": VERSION, **({"x-api-key": server.api_key} if server.api_key else {})},
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
            "system": system,
            "messages": [{"role": "user", "content": user}],
            "max_tokens": ANSWER_MAX_TOKENS,
            "output_config": {"format": {"type": "json_schema", "schema": plain_schema(schema)}},
        }
        return _completion(self._json.post("messages", body, timeout_s=timeout_s or TIMEOUT_S))


def plain_schema(schema: Any) -> Any:
    """Return a schema without the limits that the API does not take; objects are closed, as it demands."""
    if isinstance(schema, list | tuple):
        return [plain_schema(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept = {
        name: {key: plain_schema(item) for key, item in value.items()}
        if name == "properties"
        else plain_schema(value)
        for name, value in schema.items()
        if name not in _LIMITS
    }
    return {**kept, "additionalProperties": False} if kept.get("type") == "object" else kept


def _completion(read: Any) -> Completion:
    try:
        text = "".join(block["text"] for block in read["content"] if block.get("type") == "text")
        used = read.get("usage") or {}
        counted = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        prompt_tokens = tokens(sum(tokens(used.get(name)) for name in counted))
        completion_tokens = tokens(used.get("output_tokens"))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise Unavailable("the model answered something that holds no completion") from error
    return Completion(text=text, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens)
