"""One run of the lifecycle set on a place."""

from collections.abc import Mapping
from typing import Any

from benchmarks.lifecycle.asking import Answered, ask_all
from benchmarks.lifecycle.stories import read_stories
from benchmarks.lifecycle.telling import tell
from benchmarks.place import Place
from memory_site.demo.client import Api

TENANT = "lifecycle"
ABILITIES = ("turns:write", "memories:read", "memories:write", "provenance:read", "catalog:write")
"""Of its key."""


def run(place: Place, *, extra: Mapping[str, Any] | None = None) -> list[Answered]:
    """Tell and ask; the place has an empty tenant `lifecycle`. Raises ApiFailed."""
    stories = read_stories()
    with Api(place.url, place.keys[TENANT]) as api:
        return ask_all(api, stories, tell(api, stories), extra=extra)
