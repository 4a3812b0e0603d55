"""The rows of a statement that every question asks: Django would take longer to put it together than it takes."""

from collections.abc import Sequence
from typing import Any

from django.db import connection
from psycopg.pq import Format


def fetched(statement: str, parameters: Sequence[Any], *, binary: bool = False) -> list[tuple[Any, ...]]:
    """Return all rows of a statement in SQL. The scope is open.

    binary: bytes come as they are, not as text of twice the length; moments would come without Django's time zone.
    """
    with connection.cursor() as cursor:
        if binary:
            cursor.cursor.format = Format.BINARY  # of psycopg's cursor, inside Django's
        cursor.execute(statement, parameters)
        return list(cursor.fetchall())
