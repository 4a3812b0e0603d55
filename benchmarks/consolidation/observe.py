"""Telling the conversations to the API, waiting for the worker, and reading what it made of each turn."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from benchmarks.consolidation.labelled import Conversation

DONE_WITHIN_S = 1800.0
APART = timedelta(hours=7)
"""Between two turns of a conversation."""
BATCH = 500
STORED = {"added", "repeated", "refined", "superseded", "denied", "past"}
REPLACED = {"superseded", "denied"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What one decision made: the text that was stored or repeated, and the one that gave way to it."""

    verdict: str
    text: str
    old: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What became of a turn. stored: facts believed. kept: pending ones too. outcomes: (playbook's id, success)."""

    stored: tuple[Made, ...]
    kept: tuple[Made, ...]
    outcomes: tuple[tuple[str, bool], ...]


@dataclass(slots=True, kw_only=True)
class Observed:
    """Everything that was seen: by conversation, a Seen for each turn; and how long consolidation took.

    prompt_tokens, completion_tokens: of the model. cost: of these, in currency; None = unknown, or no model.
    by_model: decisions on what it found and no rule.
    """

    seen: dict[str, list[Seen]] = field(default_factory=dict)
    seconds: float = 0.0
    turns: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    currency: str = ""
    by_model: int = 0


class Site:
    """A tenant's way to the API."""

    def __init__(self, url: str, key: str) -> None:
        self._http = httpx.Client(
            base_url=f"{url}/api/v1/", headers={"Authorization": f"Bearer {key}"}, timeout=60, trust_env=False
        )

    def close(self) -> None:
        """Close its connections."""
        self._http.close()

    def call(self, method: str, path: str, *, body: Any = None, asked: Mapping[str, str] | None = None) -> Any:
        """Send a request and return the answer; raises httpx.HTTPStatusError."""
        answer = self._http.request(method, path, json=body, params=asked)
        answer.raise_for_status()
        return answer.json()

    def pages(self, path: str, **asked: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of a list, all pages of it."""
        before: dict[str, str] = {}
        while True:
            found = self.call("GET", path, asked={"limit": "200", **asked, **before})
            yield from found["results"]
            if found["next"] is None:
                return
            before = {"before": found["next"]}


def observe(site: Site, conversations: Sequence[Conversation]) -> Observed:
    """Write every conversation, consolidate, and read the decisions and memories."""
    observed, playbooks = Observed(), {}
    turn_ids: dict[str, list[str]] = {}
    for conversation in conversations:
        for playbook in conversation.playbooks:
            body = {"user_id": conversation.id, "trigger": playbook.trigger, "steps": list(playbook.steps)}
            playbooks[site.call("POST", "procedures/", body=body)["id"]] = playbook.id
        bodies, ids = list(_bodies(conversation)), turn_ids.setdefault(conversation.id, [])
        for start in range(0, len(bodies), BATCH):
            recorded = site.call("POST", "turns/batch/", body={"turns": bodies[start : start + BATCH]})
            ids += [turn["turn_id"] for turn in recorded["turns"]]
        observed.turns += len(conversation.turns)
    begin = time.perf_counter()
    _consolidated(site, site.call("POST", "consolidations/", body={})["id"])
    observed.seconds = time.perf_counter() - begin
    _count_tokens(site, observed)
    for conversation in conversations:
        texts = _texts(site, conversation.id)
        decisions: dict[str, list[dict[str, Any]]] = {}
        for decision in site.pages("decisions/", user_id=conversation.id):
            decisions.setdefault(decision["turn_id"], []).append(decision)
            observed.by_model += "/" in decision["rule"]
        observed.seen[conversation.id] = [
            _seen(decisions.get(turn_id, []), texts, playbooks) for turn_id in turn_ids[conversation.id]
        ]
    return observed


def _count_tokens(site: Site, observed: Observed) -> None:
    """Add up what the runs took of a model; what one of them cost is unknown: so is the sum."""
    runs = [run for run in site.pages("consolidations/") if run["prompt_tokens"] + run["completion_tokens"] > 0]
    observed.prompt_tokens = sum(run["prompt_tokens"] for run in runs)
    observed.completion_tokens = sum(run["completion_tokens"] for run in runs)
    costs = [run["cost"] for run in runs]
    if costs and None not in costs:
        observed.cost = sum(float(cost) for cost in costs)
        observed.currency = runs[0]["currency"]


def _bodies(conversation: Conversation) -> Iterator[dict[str, Any]]:
    first = datetime.now(UTC) - (len(conversation.turns) + 1) * APART  # a turn of the future would be refused
    for index, turn in enumerate(conversation.turns):
        yield {
            "user_id": conversation.id,
            "session_id": conversation.id,
            "role": turn.role,
            "content": turn.content,
            "occurred_at": (first + index * APART).isoformat(),
        }


def _consolidated(site: Site, job_id: str) -> None:
    deadline = time.monotonic() + DONE_WITHIN_S
    while (job := site.call("GET", f"jobs/{job_id}/"))["state"] != "done":
        if time.monotonic() > deadline:
            raise TimeoutError(f"consolidation did not end: {job}")
        time.sleep(0.2)


def facts_of(site: Site, user_id: str) -> list[tuple[str, str]]:
    """Return every fact that is or was believed of a user, as status and text."""
    return [
        (status, memory["text"])
        for status in ("active", "superseded")
        for memory in site.pages("memories/", user_id=user_id, memory_type="semantic", status=status)
    ]


def _texts(site: Site, user_id: str) -> dict[str, str]:
    return {
        memory["id"]: memory["text"]
        for status in ("active", "superseded", "pending", "retracted")
        for memory in site.pages("memories/", user_id=user_id, memory_type="semantic", status=status)
    }


def _seen(decisions: Sequence[dict[str, Any]], texts: Mapping[str, str], playbooks: Mapping[str, str]) -> Seen:
    # What a rest says, an earlier turn told, and it was judged there.
    facts = [
        one for one in decisions if one["rule"] != "outcome" and one["why"] != "rest" and one["memory_id"] in texts
    ]
    made = [
        (
            one["verdict"],
            Made(verdict=one["verdict"], text=texts[one["memory_id"]], old=texts.get(one["met_id"] or "", "")),
        )
        for one in facts
    ]
    outcomes = [one for one in decisions if one["verdict"] == "outcome"]
    return Seen(
        stored=tuple(one for verdict, one in made if verdict in STORED),
        kept=tuple(one for _, one in made),
        outcomes=tuple((playbooks.get(one["memory_id"], ""), one["why"] == "success") for one in outcomes),
    )
