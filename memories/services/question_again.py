"""A stored question as it can be asked again."""

from datetime import datetime
from typing import Any

from backends.search.filter_json import reread
from memories.services.question import Question

_MOMENTS = ("as_of", "valid_at")


def question_again(asked: dict[str, Any]) -> Question:
    """Return the question of a stored recall."""
    said = {name: value for name, value in asked.items() if name in Question.__dataclass_fields__}
    said.update({name: datetime.fromisoformat(said[name]) for name in _MOMENTS if name in said})
    if "memory_types" in said:
        said["memory_types"] = tuple(said["memory_types"])
    if "filters" in said:
        said["filters"] = reread(said["filters"])
    return Question(**said)
