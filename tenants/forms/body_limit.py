"""How long a request's body may be: little, but where many things come at once."""

from django.conf import settings


class BodyTooLong(Exception):
    """The body of a request is longer than its path allows."""


def body_max_bytes(path: str) -> int:
    """Return how many bytes a body sent to a path may have."""
    limit: int = settings.BODY_MAX_BYTES_AT.get(path, settings.BODY_MAX_BYTES)
    return limit


def too_long(path: str) -> str:
    """Return what to tell whoever sent a longer one."""
    return f"The body is longer than the {body_max_bytes(path)} bytes that this path takes; send less at a time."
