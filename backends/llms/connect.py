"""From settings to a large language model."""

from functools import cache

from backends.llms.anthropic import PREFIX, AnthropicLLM
from backends.llms.base import LLM
from backends.llms.http import HttpLLM, Server


@cache
def connect(url: str, model: str, api_key: str = "") -> LLM | None:
    """Return the model at a URL, one a process; None for an empty one: then rules work alone.

    url: with "anthropic:" before it the server is spoken to as Anthropic's is.
    Raises ValueError, when it is no URL, or the model's name is missing.
    """
    if not url:
        return None
    plain = url.removeprefix(PREFIX)
    if not plain.startswith(("http://", "https://")):
        raise ValueError(
            f"LLM: {url!r} is no URL; use one such as https://host/v1, or anthropic:https://api.anthropic.com/v1"
        )
    if not model:
        raise ValueError("LLM_MODEL: name the model that LLM serves")
    server = Server(url=plain, model=model, api_key=api_key)
    return AnthropicLLM(server) if plain != url else HttpLLM(server)
