"""From settings to a large language model."""

from functools import cache

from backends.llms.base import LLM
from backends.llms.http import HttpLLM, Server


@cache
def connect(url: str, model: str, api_key: str = "") -> LLM | None:
    """Return the model at a URL, one a process; None for an empty one: then rules work alone.

    Raises ValueError, when it is no URL, or the model's name is missing.
    """
    if not url:
        return None
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"LLM: {url!r} is no URL; use one such as https://host/v1")
    if not model:
        raise ValueError("LLM_MODEL: name the model that LLM serves")
    return HttpLLM(Server(url=url, model=model, api_key=api_key))
