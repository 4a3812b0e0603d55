"""The counters of this site."""

from functools import cache

from django.conf import settings

from backends.counters import Counters


def counters() -> Counters:
    """Return the counters of REDIS_URL; connections are made on first use."""
    return connected(settings.REDIS_URL)


@cache
def connected(url: str) -> Counters:
    """Return the counters at a URL, the same ones each time."""
    return Counters(url)
