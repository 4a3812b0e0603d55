"""The database, from a URL to what Django is told of it."""

from typing import Any
from urllib.parse import urlsplit

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict


def database(url: str, *, pool_size: int) -> dict[str, Any]:
    """Return Django's settings for a postgresql:// URL, its parameters included, with psycopg's pool.

    pool_size: connections at most; 0 = no pool.
    Raises ValueError for any other scheme, and for what libpq, which reads it here, does not know.
    """
    if urlsplit(url).scheme not in {"postgresql", "postgres"}:
        raise ValueError("DATABASE_URL: must begin with postgresql://")
    try:
        given = conninfo_to_dict(url)
    except ProgrammingError as error:
        known = str(error).startswith("invalid URI query parameter")  # libpq's other sentences may hold the password
        reason = str(error).strip() if known else "libpq cannot read it; look at its parts and percent signs"
        raise ValueError(f"DATABASE_URL: {reason}") from None
    named = {key: str(given.pop(key, "")) for key in ("dbname", "user", "password", "host", "port")}
    # Values travel beside the statement, never in it: what Postgres logs of a failed statement is no one's text.
    # What a connection has asked this often is not planned anew: planning was half of what Postgres did for a recall.
    options: dict[str, Any] = {"prepare_threshold": 5, **given, "server_side_binding": True}
    if pool_size:
        options["pool"] = {"min_size": 1, "max_size": pool_size, "timeout": 10}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": named["dbname"],
        "USER": named["user"],
        "PASSWORD": named["password"],
        "HOST": named["host"],
        "PORT": named["port"] or "5432",
        "CONN_MAX_AGE": 0,  # the pool keeps connections, not Django
        "CONN_HEALTH_CHECKS": True,  # a connection that a restarted server left behind is replaced, not used
        "OPTIONS": options,
    }
