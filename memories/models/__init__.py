"""The nouns of memory, listed here so that Django finds them."""

from memories.models.catalog_document import CatalogDocument
from memories.models.catalog_passages import CatalogPassages
from memories.models.catalog_vector import CatalogVector
from memories.models.entity import Entity
from memories.models.entity_vector import EntityVector
from memories.models.golden_question import GoldenQuestion
from memories.models.idempotency_key import IdempotencyKey
from memories.models.index_rebuild import IndexRebuild
from memories.models.memory import Memory
from memories.models.memory_passages import MemoryPassages
from memories.models.memory_tokens import MemoryTokens
from memories.models.memory_use import MemoryUse
from memories.models.memory_vector import MemoryVector
from memories.models.outbox_entry import OutboxEntry
from memories.models.procedure import Procedure
from memories.models.recall_log import RecallLog
from memories.models.relation import Relation
from memories.models.relation_vector import RelationVector
from memories.models.session import Session
from memories.models.source import Source
from memories.models.turn import Turn

__all__ = [
    "CatalogDocument", "CatalogPassages", "CatalogVector", "Entity", "EntityVector", "GoldenQuestion",
    "IdempotencyKey", "IndexRebuild", "Memory", "MemoryPassages", "MemoryTokens", "MemoryUse", "MemoryVector",
    "OutboxEntry", "Procedure", "RecallLog", "Relation", "RelationVector", "Session", "Source", "Turn",
]  # fmt: skip
