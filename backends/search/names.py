"""Names of indexes and the reserved values inside their documents."""

from uuid import UUID

EPISODIC = "episodic"
SEMANTIC = "semantic"
PROCEDURAL = "procedural"
ENTITY = "entity"
RELATION = "relation"
CATALOG = "catalog"

MEMORY_KINDS: tuple[str, ...] = (EPISODIC, SEMANTIC, PROCEDURAL)
WRITTEN_KINDS: tuple[str, ...] = (SEMANTIC,)
"""What a caller writes as plain text; turns and playbooks have doors of their own."""
KINDS: tuple[str, ...] = (*MEMORY_KINDS, ENTITY, RELATION, CATALOG)
"""What is searched: the three kinds of memories, what they are about, and the tenant's own documents."""

PASSAGES, VECTOR = "passages", "vector"
"""The field of a document's passages, a list; and what each of them has: the vector of a part of the turn."""

CREDENTIAL_PREFIX = "mneme:"
"""How the names of all credentials begin that this site has minted in an engine."""
NONE = "none"
"""Stands in a keyword field for "no subject" or "no compartment"; no id or compartment can spell it."""


def read_alias(kind: str) -> str:
    """Return the alias that searches read."""
    return f"mneme-{kind}"


def write_alias(kind: str) -> str:
    """Return the alias that sync writes to."""
    return f"mneme-{kind}-write"


def next_alias(kind: str) -> str:
    """Return the alias of the generation that is being built; sync writes to it as well."""
    return f"mneme-{kind}-next"


def previous_alias(kind: str) -> str:
    """Return the alias of the generation that was searched before; sync writes to it until it is dropped."""
    return f"mneme-{kind}-previous"


def index_name(kind: str, generation: int) -> str:
    """Return the concrete index of one generation of a kind; a new mapping is a new generation."""
    return f"mneme-{kind}-v{generation}"


def tenant_part(kind: str, tenant_id: UUID) -> str:
    """Return what stands for the kind in the names of a tenant's own indexes.

    An id has one length, so that no tenant's name begins another's.
    """
    return f"{kind}-t{tenant_id.hex}"


def document_id(tenant_id: UUID, object_id: UUID) -> str:
    """Return the engine's document id; the tenant is part of it, so no tenant can replace another's document."""
    return f"{tenant_id}:{object_id}"
