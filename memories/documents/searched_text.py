"""The text a memory is found by."""

from memories.lines import dated, line
from memories.models import Memory


def searched_text(memory: Memory) -> str:
    """Return a memory's date, who said it, and what: the field `turn`, and what is embedded."""
    return dated(line(memory.author, memory.text), memory.valid_from)
