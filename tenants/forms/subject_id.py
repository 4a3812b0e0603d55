"""The id of a subject in a path: ours, not the caller's user_id."""

from urllib.parse import quote
from uuid import UUID


class NoSubjectId(Exception):
    """What stands in the path cannot be the id of a user."""


def subject_id_of(given: str) -> UUID:
    """Return the id in a path; raise NoSubjectId, which says where the id is found, for anything else."""
    try:
        return UUID(given)
    except ValueError:
        raise NoSubjectId(
            f"{given} is not the id of a user. The path takes the id that Mneme gave: look it up by"
            f" GET /api/v1/subjects/?user_id={quote(given, safe='')}"
        ) from None
