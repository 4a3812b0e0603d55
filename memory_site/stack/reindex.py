"""Bringing the whole record to a search engine that is not the one it was brought to before.

Sync brings changes only. Whoever runs the stack with another engine, or with a wiped one, would find nothing in it.
"""

from collections.abc import Callable
from pathlib import Path

from memory_site.stack.files import write_private


def reindex(run: Callable[[], str], *, engine: str, memory: Path) -> int:
    """Note every searched row for sync if the record was brought to another engine before; return how many.

    run: runs `manage.py reindex` and returns what it printed.
    engine: which engine, and which life of it.
    memory: file that holds the engine of the last time.
    """
    if memory.exists() and memory.read_text(encoding="utf-8") == engine:
        return 0
    touched = int(run().split()[0])
    write_private(memory, engine)
    return touched
