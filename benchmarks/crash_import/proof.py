"""What must hold afterwards, looked at from the outside: the archive, the outbox, the engine, recall, the chain."""

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import httpx
import psycopg

from benchmarks.crash_import.importer import word
from memory_site.stack.errors import CommandFailed
from memory_site.stack.stack import Stack

SYNC_WITHIN_S = 1_800.0
ASKERS = 3
ATTEMPTS = 30

ARCHIVE = """
    SELECT s.external_id, t.position, t.id::text, t.content FROM memories_turn t
    JOIN memories_session s ON s.id = t.session_id ORDER BY s.external_id, t.position
"""
EPISODES = "SELECT turn_id::text, count(*) FROM memories_memory WHERE memory_type = 'episodic' GROUP BY turn_id"


def wait_for_sync(stack: Stack, key: str, look_after: Callable[[], None]) -> float:
    """Wait until nothing is pending, and return the seconds that took; look_after starts what died meanwhile."""
    began = time.monotonic()
    while (pending := _sync(stack, key)["pending"]) and time.monotonic() - began < SYNC_WITHIN_S:
        print(f"  {pending} documents wait for the engine", flush=True)
        for _ in range(25):
            look_after()
            time.sleep(0.2)
    return time.monotonic() - began


def faults(stack: Stack, key: str, acknowledged: Mapping[int, Sequence[str]], *, recalls: int) -> list[str]:
    """Return what does not hold, one sentence each; empty when all does."""
    found = [*_archive_faults(stack, acknowledged)]
    backlog = _sync(stack, key)
    if backlog["pending"] or backlog["dead_letters"]:
        found.append(f"the outbox is not empty: {backlog}")
    found += _command_faults(stack, "check_drift")
    found += _command_faults(stack, "seal_events", "--once")
    found += _command_faults(stack, "verify_audit")
    found += _recall_faults(stack, key, acknowledged, recalls=recalls)
    return found


def _archive_faults(stack: Stack, acknowledged: Mapping[int, Sequence[str]]) -> list[str]:
    """Compare the archive with what was acknowledged: once, in order, word for word, each with one episode."""
    with psycopg.connect(stack.superuser_dsn, dbname="mneme") as connection:
        rows = connection.execute(ARCHIVE).fetchall()
        episodes: dict[str, int] = dict(connection.execute(EPISODES).fetchall())
    archived: dict[str, list[tuple[int, str, str]]] = {}
    for session, position, turn_id, content in rows:
        archived.setdefault(session, []).append((position, turn_id, content))
    found = []
    for session, ids in acknowledged.items():
        expected = [
            (number, turn_id, f"the code word number {number} is {word(session, number)}")
            for number, turn_id in enumerate(ids)
        ]
        stored = archived.get(f"session-{session}", [])
        if stored != expected:
            found.append(f"session {session}: {len(ids)} turns acknowledged, {len(stored)} archived, or not in order")
    several = sum(count != 1 for count in episodes.values())
    if several or len(episodes) != len(rows):
        found.append(f"{len(rows)} turns have {len(episodes)} episodes, {several} of them several")
    return found


def _recall_faults(stack: Stack, key: str, acknowledged: Mapping[int, Sequence[str]], *, recalls: int) -> list[str]:
    """Ask the engine alone for turns, evenly spread over all sessions."""
    every = [(session, number) for session, ids in acknowledged.items() for number in range(len(ids))]
    chosen = every[:: max(1, len(every) // recalls)] if recalls else []
    with (
        httpx.Client(
            base_url=f"{stack.url}/api/v1/", headers={"Authorization": f"Bearer {key}"}, timeout=60
        ) as client,
        ThreadPoolExecutor(max_workers=ASKERS) as pool,
    ):

        def missed(place: tuple[int, int]) -> str | None:
            session, number = place
            asked = {"user_id": f"user-{session % 3}", "query": f"{word(session, number)}?", "overlay": False}
            answer = client.post("recall/", json={**asked, "top_k": 3})
            if answer.status_code != httpx.codes.OK:
                return f"{word(session, number)}: {answer.status_code}"
            texts = [hit["text"] for hit in answer.json()["results"]]
            return None if any(text.endswith(f" {word(session, number)}") for text in texts) else word(*place)

        lost = [one for one in pool.map(missed, chosen) if one is not None]
    print(f"  {len(chosen)} turns recalled from the engine alone, {len(lost)} not found", flush=True)
    return [f"{len(lost)} turns are not recalled: {', '.join(lost[:5])}"] if lost else []


def _command_faults(stack: Stack, *command: str) -> list[str]:
    try:
        said = stack.manage(*command)
    except CommandFailed as failed:
        return [f"{command[0]}: {failed}"]
    print(f"  {' '.join(command)}: {said.strip().splitlines()[-1] if said.strip() else 'done'}", flush=True)
    return []


def _sync(stack: Stack, key: str) -> Mapping[str, int]:
    for attempt in range(ATTEMPTS):
        try:
            answer = httpx.get(f"{stack.url}/api/v1/sync/", headers={"Authorization": f"Bearer {key}"}, timeout=60)
            found: Mapping[str, int] = answer.raise_for_status().json()
        except httpx.HTTPError:  # who was killed last is coming up
            if attempt == ATTEMPTS - 1:
                raise
            time.sleep(1)
        else:
            return found
    return {}
