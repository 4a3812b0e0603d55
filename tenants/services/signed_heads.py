"""Heads of all chains, signed and written down where the database's superuser cannot reach.

A chain alone cannot tell that its tail was cut together with its head; a head that somebody else keeps can.
"""

import base64
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tenants.chain import canonical
from tenants.models import ChainHead
from tenants.services.open_scope import open_operator
from tenants.services.verify_chain import Heads


class BadSignature(Exception):
    """A line of the file of heads was not signed with this key, or was changed."""


def sign_heads(file: Path, *, key: bytes, now: datetime) -> int:
    """Append one signed line with every chain's head to a file, and return how many heads it has.

    key: a raw Ed25519 private key, 32 bytes. Source: RFC 8032.
    """
    private = Ed25519PrivateKey.from_private_bytes(key)
    with open_operator():
        heads = [
            {
                "tenant_id": str(head.tenant_id) if head.tenant_id else None,
                "seq": head.seq,
                "hash": bytes(head.hash).hex(),
            }
            for head in ChainHead.objects.order_by("tenant_id")
        ]
    body = {"at": now.astimezone(UTC).isoformat(timespec="seconds"), "heads": heads, "key": _public(private)}
    line = {**body, "signature": base64.b64encode(private.sign(canonical(body))).decode()}
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(line, ensure_ascii=False, sort_keys=True) + "\n")
    return len(heads)


def read_heads(lines: Iterable[str], *, public: str | None = None) -> dict[UUID | None, Heads]:
    """Return the heads of each chain from a file of them.

    public: the key that must have signed, as base64; None takes each line's own word for it.
    Raises BadSignature.
    """
    found: dict[UUID | None, dict[int, bytes]] = {}
    for number, text in enumerate(lines, start=1):
        line: dict[str, Any] = json.loads(text)
        signature = base64.b64decode(line.pop("signature"))
        _check(line, signature, public, number)
        for head in line["heads"]:
            tenant_id = UUID(head["tenant_id"]) if head["tenant_id"] else None
            found.setdefault(tenant_id, {})[int(head["seq"])] = bytes.fromhex(head["hash"])
    return dict(found)


def _check(line: Mapping[str, Any], signature: bytes, public: str | None, number: int) -> None:
    if public is not None and line["key"] != public:
        raise BadSignature(f"line {number} was signed with another key")
    try:
        Ed25519PublicKey.from_public_bytes(base64.b64decode(line["key"])).verify(signature, canonical(line))
    except (InvalidSignature, ValueError) as error:
        raise BadSignature(f"line {number} is not what was signed") from error


def _public(private: Ed25519PrivateKey) -> str:
    raw = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    return base64.b64encode(raw).decode()
