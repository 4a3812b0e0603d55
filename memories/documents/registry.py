"""Every searched document's index."""

from backends.search.base import IndexDefinition
from memories.documents import episodic


def definitions() -> list[IndexDefinition]:
    """Return the index of each kind."""
    return [episodic.definition()]
