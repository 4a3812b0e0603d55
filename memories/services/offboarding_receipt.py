"""The receipt of an offboarding: what there was, that nothing is left, and where the chain of events ends; signed."""

import hashlib
import json
import os
from datetime import UTC, datetime
from pathlib import Path

from backends.search.base import SearchEngine
from memories.services.purge_rows import count_rows
from tenants.chain import canonical
from tenants.models import ChainHead, Offboarding
from tenants.models.offboarding import Step
from tenants.services.open_scope import open_operator
from tenants.services.signing import audit_key, signed

FORMAT = "mneme-offboarding-1"


class StillThere(Exception):
    """Rows or documents of the tenant are left: no receipt can be given."""


def receipt_of(job: Offboarding, engine: SearchEngine, *, now: datetime) -> str:
    """Return the receipt as canonical JSON with its signature.

    The slug stands in it as SHA-256: whoever knows it can tell, and the site's chain keeps no name.
    Raises StillThere, naming tables and engine; NoAuditKey.
    """
    after = {**count_rows(job.tenant_id), f"engine {engine.name}": engine.count_of_tenant(job.tenant_id)}
    if left := [where for where, count in after.items() if count]:
        raise StillThere(", ".join(left))
    with open_operator():
        head = ChainHead.objects.get(tenant_id=job.tenant_id)
    body = {
        "format": FORMAT,
        "offboarding_id": str(job.id),
        "tenant_id": str(job.tenant_id),
        "slug_sha256": hashlib.sha256(job.slug.encode()).hexdigest(),
        "began_at": _at(job.began_at),
        "finished_at": _at(now),
        "before": job.before,
        "after": after,
        "revoked": job.revoked,
        "chain": {"seq": head.seq, "hash": bytes(head.hash).hex()},
    }
    return canonical(signed(body, key=audit_key())).decode()


def write_receipts(folder: Path) -> list[Path]:
    """Write what is signed and in no file yet, and return the files; a crash in between loses none."""
    with open_operator():
        jobs = list(Offboarding.objects.filter(step=Step.DONE).exclude(slug=""))
    written = []
    for job in jobs:
        file = receipt_file(folder, job.slug, job)
        _write(file, json.dumps(json.loads(job.receipt), indent=2, sort_keys=True) + "\n")
        with open_operator():
            Offboarding.objects.filter(id=job.id).update(slug="")
        written.append(file)
    return written


def receipt_file(folder: Path, slug: str, job: Offboarding) -> Path:
    """Return where the receipt of a job is written; the job forgets its slug with it."""
    return folder / f"{slug}-{job.tenant_id}.json"


def _write(file: Path, text: str) -> None:
    """Write a file so that it is there as a whole, or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    with part.open("w", encoding="utf-8") as lines:
        lines.write(text)
        lines.flush()
        os.fsync(lines.fileno())
    part.replace(file)


def _at(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")
