"""Bringing the whole record to a search engine that is not the one it was brought to before.

Sync brings changes only. Whoever runs the stack with another engine, or with a wiped one, would find nothing in it.
"""

from pathlib import Path

import psycopg
from psycopg import sql

from memory_site.stack.files import write_private

# A new document version is what the outbox notices; the document itself stays as it is.
TOUCH = "UPDATE public.{} SET doc_version = doc_version + 1"
TABLES = ("memories_memory", "memories_entity", "memories_relation", "memories_catalogdocument")


def reindex(superuser_dsn: str, *, database: str, engine: str, memory: Path) -> int:
    """Note every searched row for sync if the record was brought to another engine before; return how many.

    engine: which engine, and which life of it.
    memory: file that holds the engine of the last time.
    """
    if memory.exists() and memory.read_text(encoding="utf-8") == engine:
        return 0
    with psycopg.connect(superuser_dsn, dbname=database) as connection:
        touched = sum(connection.execute(sql.SQL(TOUCH).format(sql.Identifier(table))).rowcount for table in TABLES)
    write_private(memory, engine)
    return touched
