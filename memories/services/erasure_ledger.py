"""The ledger of erasures: a file beside the database, so that a restore of the database does not undo them.

One line an erasure, of ids only. It is written before the first row goes, and kept where no backup of the database
replaces it.
"""

import json
import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """A subject that was erased."""

    tenant_id: UUID
    subject_id: UUID


def note_erasure(file: Path, erased: Erased, *, now: datetime) -> None:
    """Append an erasure, and return when it is on the disk; once more does no harm. Raises OSError."""
    line = {
        "at": now.astimezone(UTC).isoformat(timespec="seconds"),
        "subject_id": str(erased.subject_id),
        "tenant_id": str(erased.tenant_id),
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    # A newline first: what a crash cut off must not spoil what comes after it.
    with file.open("a", encoding="ascii") as lines:
        lines.write(f"\n{json.dumps(line, sort_keys=True)}\n")
        lines.flush()
        os.fsync(lines.fileno())


def erasures(file: Path) -> Iterator[Erased]:
    """Yield what the file holds, each subject once; a line that a crash cut off is passed over. Raises OSError."""
    seen: set[Erased] = set()
    for number, text in enumerate(file.read_text(encoding="ascii", errors="replace").splitlines(), start=1):
        if not text.strip():
            continue
        try:
            line = json.loads(text)
            erased = Erased(tenant_id=UUID(line["tenant_id"]), subject_id=UUID(line["subject_id"]))
        except (KeyError, TypeError, ValueError):
            log.error("%s: line %d cannot be read and is passed over", file, number)
            continue
        if erased not in seen:
            seen.add(erased)
            yield erased
