"""How much is stored before anything is measured."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import UUID

import psycopg

from memory_site.demo.client import Api
from memory_site.stack.environment import DATABASE
from memory_site.stack.errors import CommandFailed
from memory_site.stack.guardian import CHECKOUT
from memory_site.stack.stack import Stack

SEARCHABLE_WITHIN_S = 7200.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """So many memories in all, evenly over tenants, and over the users of each.

    by_tenant: whether questions are also asked of all users of a tenant together.
    """

    name: str
    tenants: int
    users: int
    memories: int
    by_tenant: bool


def sizes(*, tenants: int, memories: int, one_tenant: int, one_subject: int) -> list[Size]:
    """Return what the options ask for; 0 = not asked for."""
    found = []
    if memories:
        name = f"{memories:,} memories over {tenants:,} tenants"
        found.append(Size(name=name, tenants=tenants, users=4, memories=memories, by_tenant=True))
    if one_tenant:
        name = f"one tenant of {one_tenant:,} memories, 100 users"
        found.append(Size(name=name, tenants=1, users=100, memories=one_tenant, by_tenant=True))
    if one_subject:
        name = f"one subject of {one_subject:,} memories"
        found.append(Size(name=name, tenants=1, users=1, memories=one_subject, by_tenant=False))
    return found


def fill(stack: Stack, size: Size, *, data: Path | None, seed: int) -> Mapping[str, UUID]:
    """Fill a stack and return the tenants' ids by their keys, when all is searchable and Postgres has statistics.

    Raises CommandFailed or ApiFailed.
    """
    wanted = {**asdict(size), "data": str(data.resolve()) if data else None, "seed": seed}
    stack.stop("embedding")
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.latency.fill"],
        input=json.dumps(wanted),
        env={**stack.environment_of("mneme_worker"), "LOG_LEVEL": "ERROR"},
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CommandFailed(
            f"filling failed: {done.stderr.strip()[-2000:]}", exit_code=done.returncode, stderr=done.stderr
        )
    stack.start("embedding")
    tenants = {key: UUID(tenant_id) for key, tenant_id in json.loads(done.stdout.splitlines()[-1]).items()}
    with psycopg.connect(stack.superuser_dsn, dbname=DATABASE, autocommit=True) as connection:
        for key in tenants:
            with Api(stack.url, key) as api:
                api.wait_until_searchable(within_s=SEARCHABLE_WITHIN_S)
        connection.execute("VACUUM (ANALYZE)")  # what autovacuum does within minutes
    return tenants
