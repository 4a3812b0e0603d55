"""The engine's own part: the same questions put to it straight from here, each with its vector made before."""

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

import httpx

from backends.embedders.bundled import BundledEmbedder
from backends.search import names
from backends.search.base import Query, SearchEngine, Where
from backends.search.connect import connect
from backends.search.postgres.engine import PostgresEngine
from backends.search.reach import Credential, Reach
from benchmarks.latency.measure import Phase, Request
from memory_site.stack.stack import Stack


def bare_phase(stack: Stack, tenants: Mapping[str, UUID], requests: Sequence[Request]) -> Phase:
    """Search one after the other, with a credential of the same reach as the recall's."""
    # The worker's rights: it may grant on both engines.
    engine = connect(stack.environment_of("mneme_worker")["SEARCH_URL"])
    model = BundledEmbedder()
    granted: dict[tuple[str, str], tuple[Reach, Credential]] = {}
    took: list[float] = []
    steps: dict[str, list[float]] = {}
    began = time.perf_counter()
    try:
        for request in requests:
            who = (request.key, str(request.body.get("user_id", "")))
            if who not in granted:
                granted[who] = _granted(engine, stack.url, tenants[request.key], *who)
            reach, credential = granted[who]
            query = Query(
                reach=reach,
                text=request.body["query"],
                vector=[float(x) for x in model.query(request.body["query"])],
                where=Where(judged_at=datetime.now(UTC)),
            )
            begin = time.perf_counter()
            answer = engine.search(query, using=credential)
            took.append((time.perf_counter() - begin) * 1000)
            for step, ms in answer.took_ms.items():
                steps.setdefault(step, []).append(ms)
    finally:
        engine.revoke([credential.id for _, credential in granted.values()])
        if isinstance(engine, PostgresEngine):
            engine.close()  # its pool; the server is about to go
    return Phase(
        verb="bare engine query",
        clients=1,
        seconds=time.perf_counter() - began,
        ms=tuple(took),
        steps={step: tuple(ms) for step, ms in steps.items()},
    )


def _granted(engine: SearchEngine, url: str, tenant_id: UUID, key: str, user_id: str) -> tuple[Reach, Credential]:
    with httpx.Client(
        base_url=f"{url}/api/v1/", headers={"Authorization": f"Bearer {key}"}, timeout=60, trust_env=False
    ) as client:
        subjects = client.get("subjects/", params={"user_id": user_id}).json()["results"] if user_id else []
    reach = Reach(
        tenant_id=tenant_id, subject_id=UUID(subjects[0]["id"]) if subjects else None, kinds=tuple(names.KINDS)
    )
    ends = datetime.now(UTC) + timedelta(hours=6)
    return reach, engine.grant(reach, name="benchmarks.latency", expires_at=ends)
