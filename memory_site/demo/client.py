"""A small client of the API over HTTP; the benchmarks use it too."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import TracebackType
from typing import Any, Self

import httpx

from memory_site.demo.failure import ApiFailed, complaint

PAUSE_S = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What a write answered: the turns' ids in order, and whether they had been written before."""

    turn_ids: tuple[str, ...]
    replayed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One recalled memory and where it came from.

    turn_id, session_id: empty for a fact, which was not said but written. who: who said it. user_id: None = shared.
    """

    text: str
    score: float
    occurred_at: datetime
    turn_id: str = ""
    session_id: str = ""
    position: int = 0
    who: str = ""
    status: str = "active"
    memory_id: str = ""
    memory_type: str = ""
    user_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What a recall answered.

    reason: why there are no hits, as the server says it, or None. degraded: what the server did without.
    match: how sure the server is of the first hit: none, weak or strong; empty where it does not say.
    client_ms: from sending to having read the answer. took_ms: by step, as the server says; "total" is all of them.
    """

    hits: tuple[Hit, ...]
    reason: str | None
    degraded: tuple[str, ...]
    client_ms: float
    took_ms: Mapping[str, float]
    match: str = ""


class Api:
    """One tenant's way to the API, by its key; usable as a context manager."""

    def __init__(self, url: str, key: str, *, timeout_s: float = 60.0) -> None:
        self.url = url.rstrip("/")
        self._http = httpx.Client(
            base_url=f"{self.url}/api/v1/",
            headers={"Authorization": f"Bearer {key}"},
            timeout=timeout_s,
            trust_env=False,  # a proxy of the environment must not stand between us and a local server
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def tenant(self) -> str:
        """Return the slug of the tenant that the key belongs to."""
        return str(self._send("GET", "keys/me/").json()["tenant"]["slug"])

    def record(self, turn: Mapping[str, Any], *, idempotency_key: str | None = None) -> Recorded:
        """Write one turn."""
        answer = self._send("POST", "turns/", body=turn, idempotency_key=idempotency_key)
        return Recorded(turn_ids=(answer.json()["turn_id"],), replayed=_replayed(answer))

    def record_batch(self, turns: Sequence[Mapping[str, Any]], *, idempotency_key: str | None = None) -> Recorded:
        """Write up to 500 turns in order, all or none."""
        answer = self._send("POST", "turns/batch/", body={"turns": list(turns)}, idempotency_key=idempotency_key)
        return Recorded(
            turn_ids=tuple(turn["turn_id"] for turn in answer.json()["turns"]), replayed=_replayed(answer)
        )

    def recall(self, question: Mapping[str, Any]) -> Recalled:
        """Ask; question is the body of recall/."""
        begin = time.perf_counter()
        answer = self._send("POST", "recall/", body=question)
        client_ms = (time.perf_counter() - begin) * 1000
        body = answer.json()
        return Recalled(
            hits=tuple(_hit(result) for result in body["results"]),
            reason=body["reason"],
            degraded=tuple(body["degraded"]),
            client_ms=client_ms,
            took_ms={step: float(ms) for step, ms in body["took_ms"].items()},
            match=str(body.get("match") or ""),
        )

    def write_fact(self, fact: Mapping[str, Any]) -> str:
        """Write a fact, the body of memories/, and return its id."""
        return str(self._send("POST", "memories/", body=fact).json()["id"])

    def write_playbook(self, playbook: Mapping[str, Any]) -> Mapping[str, Any]:
        """Write a playbook, the body of procedures/, and return it as it stands there."""
        written: Mapping[str, Any] = self._send("POST", "procedures/", body=playbook).json()
        return written

    def put_documents(self, documents: Sequence[Mapping[str, Any]]) -> None:
        """Make or replace up to 500 documents of the catalog."""
        self._send("POST", "catalog/", body={"documents": list(documents)})

    def change_policy(self, changes: Mapping[str, Any], *, reset: Sequence[str] = ()) -> None:
        """Change keys of the tenant's policy, and put others back to their defaults; needs keys:manage."""
        self._send("PATCH", "policy/", body={"set": dict(changes), "reset": list(reset)})

    def facts(self, *, user_id: str, slot: str, status: str) -> Sequence[Mapping[str, Any]]:
        """Return a user's facts in a slot, newest first."""
        asked = {"user_id": user_id, "slot": slot, "status": status}
        found: Sequence[Mapping[str, Any]] = self._send("GET", "memories/", asked=asked).json()["results"]
        return found

    def pending(self) -> int:
        """Return how many documents of the tenant the engine does not show yet."""
        return int(self._send("GET", "sync/").json()["pending"])

    def wait_until_searchable(self, *, within_s: float) -> None:
        """Return when the engine shows everything of the tenant; raise ApiFailed when it takes too long."""
        deadline = time.monotonic() + within_s
        while (pending := self.pending()) > 0:
            if time.monotonic() > deadline:
                raise ApiFailed(
                    f"{pending} documents were still not searchable after {within_s:.0f} s: "
                    "is the worker running, and can it reach the search engine?"
                )
            time.sleep(PAUSE_S)

    def _send(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, Any] | None = None,
        asked: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
    ) -> httpx.Response:
        headers = {"Idempotency-Key": idempotency_key} if idempotency_key else {}
        try:
            answer = self._http.request(method, path, json=body, params=asked, headers=headers)
        except httpx.HTTPError as error:
            raise ApiFailed(f"No answer from {self.url}: {error or type(error).__name__}.") from error
        if not answer.is_success:
            raise ApiFailed(complaint(answer, f"{method} {path}"), status=answer.status_code)
        return answer


def _replayed(answer: httpx.Response) -> bool:
    return str(answer.headers.get("Idempotency-Replayed", "")).lower() == "true"


def _hit(result: Mapping[str, Any]) -> Hit:
    plain = Hit(
        text=result["text"],
        score=float(result["score"]),
        occurred_at=datetime.fromisoformat(result.get("occurred_at") or result["recorded_at"]),
        status=result.get("status", "active"),
        memory_id=result["memory_id"],
        memory_type=result["memory_type"],
        user_id=result.get("user_id"),
    )
    source = result["source"]
    if source is None:
        return plain
    return replace(
        plain,
        turn_id=source["turn_id"],
        session_id=source["session_id"],
        position=int(source["position"]),
        who=source["speaker"] or source["role"],
    )
