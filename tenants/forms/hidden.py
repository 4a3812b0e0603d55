"""Fields hidden from a key: left out of whatever leaves, refused in whatever comes in."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from rest_framework.renderers import JSONRenderer

from tenants.scope import SCOPE_IN_META, Scope

OF_THE_CALLERS_OWN = frozenset({"metadata", "attributes"})
"""Objects whose names are the caller's: a name in there is no field of ours."""


class HidingJSONRenderer(JSONRenderer):
    """The last door of every answer: whatever a view put together, a hidden field is not in it."""

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the answer as JSON, without what is hidden from the request's scope."""
        # Not request.auth: an answer to a key that was refused would ask for it again, and be refused again.
        request = (renderer_context or {}).get("request")
        scope = request.META.get(SCOPE_IN_META) if request is not None else None
        if isinstance(scope, Scope) and scope.hidden_fields:
            data = without_hidden(data, scope.hidden_fields)
        return super().render(data, accepted_media_type, renderer_context)


def without_hidden(data: Any, hidden: Collection[str]) -> Any:
    """Return data without the hidden fields, at any depth."""
    if isinstance(data, Mapping):
        return {
            name: value if name in OF_THE_CALLERS_OWN else without_hidden(value, hidden)
            for name, value in data.items()
            if not _is_of(str(name), hidden)
        }
    if isinstance(data, list | tuple):
        return [without_hidden(item, hidden) for item in data]
    return data


def _is_of(name: str, hidden: Collection[str]) -> bool:
    """Say whether a name is a hidden field, or what a filter calls a part of one, such as metadata.colour."""
    return name.partition(".")[0] in hidden


def hidden_in(data: Any, hidden: Collection[str], path: str = "") -> Iterator[str]:
    """Yield where a request names a hidden field, as a path with dots."""
    if isinstance(data, Mapping):
        for name, value in data.items():
            at = f"{path}.{name}" if path else str(name)
            if _is_of(str(name), hidden):
                yield at
            elif name not in OF_THE_CALLERS_OWN:
                yield from hidden_in(value, hidden, at)
    elif isinstance(data, list):
        for index, item in enumerate(data):
            yield from hidden_in(item, hidden, f"{path}.{index}")
