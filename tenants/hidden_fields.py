"""Fields that can be hidden from a key: in every answer, in every request, and in the search engine."""

from collections.abc import Mapping

HIDEABLE: Mapping[str, tuple[str, ...]] = {
    "attributes": ("window",),
    "category": ("category",),
    "confidence": ("confidence",),
    "context": ("window",),
    "frequency": (),
    "importance": ("importance",),
    "metadata": ("metadata",),
    "sensitive_notes": (),
    "tags": ("tags",),
}
"""Field of an answer -> the engine's fields that hold its words, or what it is filtered by.

What is embedded, or is needed to tell rows apart, is not among them: hiding it would empty every recall.
"""


def engine_fields(hidden: tuple[str, ...]) -> tuple[str, ...]:
    """Return the engine's fields that hold what is in hidden fields, each once, sorted."""
    return tuple(sorted({field for name in hidden for field in HIDEABLE.get(name, ())}))
