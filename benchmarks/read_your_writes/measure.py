"""Writing each turn and asking for it at once; later, with everything indexed, asking again."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.read_your_writes.trials import Trial
from memory_site.demo.client import Api

TOP_K = 3
TURNS_A_SESSION = 20
USER = "read-your-writes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one trial. rank, drained_rank: 1 to 3, or None where the turn was not among the first three.

    drained_rank, drained_ms: asked again once the engine had everything, without the overlay.
    degraded: the parts that did not answer, in either answer.
    """

    trial: Trial
    turn_id: str
    record_ms: float
    recall_ms: float
    rank: int | None
    drained_ms: float = 0.0
    drained_rank: int | None = None
    degraded: tuple[str, ...] = ()


def record_older(api: Api, trials: Sequence[Trial]) -> None:
    """Write turns for the engine to hold before the measurement, in one batch."""
    api.record_batch([body(trial, prefix="older") for trial in trials])


def write_and_ask(api: Api, trials: Iterable[Trial], *, prefix: str) -> list[Outcome]:
    """Write each trial's turn by itself and ask for it in the next request."""
    return [_write_and_ask(api, trial, prefix=prefix) for trial in trials]


def ask_again(api: Api, outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Ask every question again, of the engine alone."""
    again = []
    for outcome in outcomes:
        rank, ms, degraded = _ask(api, outcome.trial, outcome.turn_id, overlay=False)
        again.append(replace(outcome, drained_rank=rank, drained_ms=ms, degraded=(*outcome.degraded, *degraded)))
    return again


def body(trial: Trial, *, prefix: str) -> dict[str, Any]:
    """Return a trial's turn as the API takes it; some twenty turns make a session."""
    return {
        "user_id": USER,
        "session_id": f"{prefix}-{trial.index // TURNS_A_SESSION}",
        "role": "user",
        "content": trial.statement,
    }


def _write_and_ask(api: Api, trial: Trial, *, prefix: str) -> Outcome:
    begin = time.perf_counter()
    recorded = api.record(body(trial, prefix=prefix))
    record_ms = (time.perf_counter() - begin) * 1000
    turn_id = recorded.turn_ids[0]
    rank, recall_ms, degraded = _ask(api, trial, turn_id, overlay=True)
    return Outcome(
        trial=trial, turn_id=turn_id, record_ms=record_ms, recall_ms=recall_ms, rank=rank, degraded=degraded
    )


def _ask(api: Api, trial: Trial, turn_id: str, *, overlay: bool) -> tuple[int | None, float, tuple[str, ...]]:
    answer = api.recall({"query": trial.question, "user_id": USER, "top_k": TOP_K, "overlay": overlay})
    found = [hit.turn_id for hit in answer.hits]
    rank = found.index(turn_id) + 1 if turn_id in found else None
    return rank, answer.client_ms, answer.degraded
