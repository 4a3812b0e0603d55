"""The nouns of memory, listed here so that Django finds them."""

from memories.models.idempotency_key import IdempotencyKey
from memories.models.memory import Memory
from memories.models.memory_vector import MemoryVector
from memories.models.outbox_entry import OutboxEntry
from memories.models.session import Session
from memories.models.turn import Turn

__all__ = ["IdempotencyKey", "Memory", "MemoryVector", "OutboxEntry", "Session", "Turn"]
