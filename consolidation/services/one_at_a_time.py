"""One at a time: what a user states is judged and written before the next statement is judged."""

from uuid import UUID

from django.db import connection


def one_at_a_time(subject_id: UUID) -> None:
    """Wait until nobody else judges what the subject states, and keep the others waiting until the scope closes.

    Else two who see the same believe two values of what has one. Taken before any row is locked; the scope is open.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"statements of {subject_id}"])
