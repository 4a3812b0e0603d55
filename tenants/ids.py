"""Ids: ours are UUIDv7; a caller's are strings compared exactly."""

import unicodedata
from uuid import UUID

from uuid_utils.compat import uuid7 as _uuid7

EXTERNAL_ID_MAX_LENGTH = 255
_CONTROL = {"Cc", "Cs", "Zl", "Zp"}


def uuid7() -> UUID:
    """Return a new UUIDv7 by this machine's clock, never by a client's."""
    return _uuid7()


def external_id_fault(value: str) -> str | None:
    """Return what is wrong with a caller's id, or None.

    An external id has 1 to 255 code points, is not blank, and holds no control character, surrogate or line
    separator. It is never trimmed or folded.
    """
    if not value or value.isspace():
        return "must not be blank"
    if len(value) > EXTERNAL_ID_MAX_LENGTH:
        return f"must have at most {EXTERNAL_ID_MAX_LENGTH} characters"
    if any(unicodedata.category(character) in _CONTROL for character in value):
        return "must not contain control characters"
    return None
