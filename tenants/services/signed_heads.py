"""Heads of all chains, signed and written down where the database's superuser cannot reach.

A chain alone cannot tell that its tail was cut together with its head; a head that somebody else keeps can.
"""

import json
import os
from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from tenants.models import ChainHead
from tenants.services.note_site_event import note_site_event
from tenants.services.open_scope import open_operator
from tenants.services.signing import BadSignature, check_signed, signed
from tenants.services.verify_chain import Heads


def sign_heads(file: Path, *, key: bytes, now: datetime) -> int:
    """Append one signed line with every chain's head to a file, and return how many heads it has.

    key: a raw Ed25519 private key, 32 bytes.
    """
    with open_operator():
        heads = [
            {
                "tenant_id": str(head.tenant_id) if head.tenant_id else None,
                "seq": head.seq,
                "hash": bytes(head.hash).hex(),
            }
            for head in ChainHead.objects.order_by("tenant_id")
        ]
    line = signed({"at": now.astimezone(UTC).isoformat(timespec="seconds"), "heads": heads}, key=key)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(line, ensure_ascii=False, sort_keys=True) + "\n")
        lines.flush()
        os.fsync(lines.fileno())
    note_site_event("heads.signed", data={"chains": len(heads)}, now=now)
    return len(heads)


def read_heads(lines: Iterable[str], *, public: Collection[str] = ()) -> dict[UUID | None, Heads]:
    """Return the heads of each chain from a file of them.

    public: the keys that may have signed, as base64; empty takes each line's own word for it.
    Raises BadSignature, naming the line.
    """
    found: dict[UUID | None, dict[int, bytes]] = {}
    for number, text in enumerate(lines, start=1):
        try:
            line: dict[str, Any] = check_signed(json.loads(text), public=public)
        except BadSignature as error:
            raise BadSignature(f"line {number} {error}") from error
        for head in line["heads"]:
            tenant_id = UUID(head["tenant_id"]) if head["tenant_id"] else None
            found.setdefault(tenant_id, {})[int(head["seq"])] = bytes.fromhex(head["hash"])
    return dict(found)
