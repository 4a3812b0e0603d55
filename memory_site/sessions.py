"""Sessions in the database, looked for only by keys that Django itself could have made."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import VALID_KEY_CHARS


class SessionStore(db.SessionStore):
    """Django's, which would ask Postgres for whatever a cookie holds, NUL included, and fail."""

    def _validate_session_key(self, key: str | None) -> bool:
        """Say whether a key may be one."""
        is_long_enough = bool(super()._validate_session_key(key))  # type: ignore[misc]
        return is_long_enough and set(key or "") <= set(VALID_KEY_CHARS)
