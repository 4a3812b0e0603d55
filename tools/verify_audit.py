#!/usr/bin/env python3
"""Verify an export of Mneme's event log: one file, nothing but Python's standard library.

    python3 verify_audit.py EXPORT [--heads FILE]

EXPORT is what `manage.py export_audit` wrote. FILE is the site's file of signed heads, kept elsewhere: every head in
it that belongs to the exported chain must stand in the export as it was. Signatures are checked where the package
`cryptography` is installed; otherwise the heads are compared and that is said.

Prints one line a fault, and the verdict last. Exits with 0 when all agrees, 1 when something does not, 2 when a file
cannot be read.
"""

import argparse
import base64
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FORMAT = "mneme-audit-1"
GENESIS = bytes(32)


def main(arguments: list[str] | None = None) -> int:
    """Verify, print, and return the exit code."""
    parser = argparse.ArgumentParser(description="Verify an export of Mneme's event log.")
    parser.add_argument("export", type=Path)
    parser.add_argument("--heads", type=Path, help="the site's file of signed heads")
    options = parser.parse_args(arguments)
    try:
        lines = options.export.read_text(encoding="utf-8").splitlines()
        head = json.loads(lines[0])
        if head.get("format") != FORMAT:
            raise ValueError(f"not an export in the format {FORMAT}")
        signed = _signed(options.heads, head["tenant_id"]) if options.heads else {}
    except (OSError, ValueError, KeyError, IndexError) as error:
        print(f"cannot read: {error}", file=sys.stderr)
        return 2
    faults = list(verify(head, [json.loads(line) for line in lines[1:]], signed))
    for seq, words in faults:
        print(f"event {seq}: {words}")
    print(
        f"{'FAULTY' if faults else 'ok'}: {len(lines) - 1} events, {len(faults)} faults, {len(signed)} signed heads"
    )
    return 1 if faults else 0


def verify(head: dict[str, Any], rows: list[dict[str, Any]], signed: dict[int, str]) -> Iterator[tuple[int, str]]:
    """Yield the number and the words of each fault."""
    last, prev_hash = 0, GENESIS
    for row in rows:
        event = json.loads(row["event"])
        seq = int(event["seq"])
        if seq != last + 1:
            yield seq, f"follows {last}: something in between was removed or inserted"
        if event["tenant_id"] != head["tenant_id"]:
            yield seq, "is another chain's"
        if bytes.fromhex(row["prev_hash"]) != prev_hash:
            yield seq, "is not linked to the one before"
        own = hashlib.sha256(bytes.fromhex(row["prev_hash"]) + row["event"].encode()).hexdigest()
        if own != row["hash"]:
            yield seq, "was changed"
        if signed.get(seq, row["hash"]) != row["hash"]:
            yield seq, "is not what was signed"
        last, prev_hash = seq, bytes.fromhex(row["hash"])
    yield from _at_the_end(head, last, prev_hash, signed)


def _at_the_end(
    head: dict[str, Any], last: int, last_hash: bytes, signed: dict[int, str]
) -> Iterator[tuple[int, str]]:
    if last != int(head["seq"]) or (last and last_hash.hex() != head["hash"]):
        yield int(head["seq"]), f"should be the last one, but {last} is: the tail was cut or added to"
    for seq in sorted(signed):
        if seq > last:
            yield seq, "was signed and is missing"


def _signed(file: Path, tenant_id: str | None) -> dict[int, str]:
    """Return number and hash of the heads that were signed for a chain."""
    found: dict[int, str] = {}
    for text in file.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        _check_signature(dict(line))
        found.update({int(head["seq"]): head["hash"] for head in line["heads"] if head["tenant_id"] == tenant_id})
    return found


def _check_signature(line: dict[str, Any]) -> None:
    """Raise ValueError, when a line is not what was signed; say so, when nothing here can tell."""
    signature = base64.b64decode(line.pop("signature"))
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        print("signatures not checked: the package cryptography is not installed", file=sys.stderr)
        return
    # Heads hold nothing but ASCII text and whole numbers, of which this is the canonical form (RFC 8785).
    body = json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    try:
        Ed25519PublicKey.from_public_bytes(base64.b64decode(line["key"])).verify(signature, body)
    except InvalidSignature as error:
        raise ValueError("a line of the heads is not what was signed") from error


if __name__ == "__main__":
    sys.exit(main())
