"""How events are chained: each hash covers the event and the hash before it.

Source: RFC 8785 (canonical JSON); FIPS 180-4 (SHA-256).
"""

import hashlib
from collections.abc import Mapping
from typing import Any

import rfc8785

GENESIS = bytes(32)
"""What stands before the first event of a chain."""


def canonical(event: Mapping[str, Any]) -> bytes:
    """Return an event's canonical JSON; its values are text, whole numbers, booleans, null, lists and objects."""
    return rfc8785.dumps(dict(event))


def link(prev_hash: bytes, body: bytes) -> bytes:
    """Return SHA-256 of the hash before and an event's canonical JSON: 32 bytes."""
    return hashlib.sha256(prev_hash + body).digest()
