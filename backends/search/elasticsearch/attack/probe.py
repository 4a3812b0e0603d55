"""One request that an attacker sends, and what is known to come of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backends.search.attack import Outcome

Json = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A request. `<name>` in path and body is filled in from the target, see run.placeholders.

    body: JSON, or a list of JSON lines for the calls that take these.
    numbers: places in the answer ("hits.total.value") that must not exceed the attacker's own number of documents.
    twice: asked once by each of the target's two words; answers that differ in a number tell about others.
    writes: an answer of success means that something was changed.
    or_absent: a module that some distributions lack, or a call that needs another licence.
    by_index: what is known where each tenant has indexes of its own, if it is something else.
    """

    name: str
    call: str
    body: Json = None
    known: Outcome
    numbers: Sequence[str] = ()
    twice: bool = False
    writes: bool = False
    or_absent: bool = False
    by_index: Outcome | None = None

    @property
    def known_by_index(self) -> Outcome:
        """Return what is known where each tenant has indexes of its own."""
        return self.by_index or self.known

    @property
    def method(self) -> str:
        """Return the HTTP method."""
        return self.call.partition(" ")[0]

    @property
    def path(self) -> str:
        """Return the path with its placeholders."""
        return self.call.partition(" ")[2]


def filled(value: Json, places: Mapping[str, Json]) -> Json:
    """Return path or body with the placeholders filled in; a string that is nothing but one takes any JSON."""
    if isinstance(value, str):
        if value in places:
            return places[value]
        for name, known in places.items():
            if isinstance(known, str):
                value = value.replace(name, known)
        return value
    if isinstance(value, Mapping):
        return {filled(key, places): filled(item, places) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, places) for item in value]
    return value
