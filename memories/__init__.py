"""What is remembered: the archive, memories, the outbox; record, sync, recall."""
