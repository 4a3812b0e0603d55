"""What is chosen by chance once for a stack, and the environment its Django processes read."""

import base64
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cryptography.fernet import Fernet

from memory_site.stack.files import read_json, write_private
from memory_site.stack.logins import LOGINS

DATABASE = "mneme"


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """Secrets of one stack. logins: login of Postgres -> password."""

    secret_key: str
    engine_keys: str
    audit_key: str
    logins: Mapping[str, str]


def keep_secrets(path: Path) -> Secrets:
    """Return the secrets kept in a file; what it lacks is made by chance and kept from now on."""
    kept = read_json(path)
    found = {
        "secret_key": kept.get("secret_key") or secrets.token_urlsafe(48),
        "engine_keys": kept.get("engine_keys") or Fernet.generate_key().decode(),
        "audit_key": kept.get("audit_key") or base64.b64encode(secrets.token_bytes(32)).decode(),
        "logins": {login: secrets.token_urlsafe(24) for login in LOGINS} | kept.get("logins", {}),
    }
    if found != kept:
        write_private(path, json.dumps(found, indent=2))
    return Secrets(**found)


def environment(
    kept: Secrets, *, database_url: str, redis_url: str, search_url: str, extra: Mapping[str, str]
) -> dict[str, str]:
    """Return the environment of one process: ours, then what the stack decides, then what its caller adds.

    One thread a process for vector arithmetic: there are several processes, and the embedding model hangs after a
    fork of a process that had more.
    """
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "memory_site.settings",
        "DEBUG": "false",
        "SECURE_COOKIES": "false",  # plain HTTP on loopback
        "SECRET_KEY": kept.secret_key,
        "ENGINE_KEYS": kept.engine_keys,
        "AUDIT_KEY": kept.audit_key,
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "SEARCH_URL": search_url,
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONUNBUFFERED": "1",
        **extra,
    }
