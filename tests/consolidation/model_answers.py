"""What a model answers about turns, good unless fields say otherwise."""

import json
from typing import Any

from tests.consolidation.conftest import Person

METHOD = "scripted/extract-2"
TRIGGER = "The smart bulb only shows white"
STEPS = ["Reset the hub", "Pair the bulb again"]


def answered(**parts: Any) -> str:
    """Return a whole answer; parts left out are empty."""
    whole = {"facts": [], "playbooks": [], "playbook_updates": [], "entities": [], "relations": [], **parts}
    return json.dumps(whole, ensure_ascii=False)


def known_playbook(ada: Person, *, shared: bool = False) -> str:
    """Write a playbook through the API and return its id; shared: by all users."""
    body = {"trigger": TRIGGER, "steps": STEPS, **({} if shared else {"user_id": ada.user_id})}
    answer = ada.caller.client.post("/api/v1/procedures/", body, format="json")
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])


def counts(ada: Person, memory_id: str) -> tuple[int, int]:
    """Return how often a playbook worked, and did not."""
    answer = ada.caller.client.get(f"/api/v1/procedures/{memory_id}/").json()
    return answer["success_count"], answer["failure_count"]


def sources(ada: Person, memory_id: str) -> list[dict[str, Any]]:
    """Return the steps of the walk to the turns that a memory rests on."""
    found: list[dict[str, Any]] = ada.caller.client.get(f"/api/v1/memories/{memory_id}/source/").json()["sources"]
    return found


def update(**fields: Any) -> dict[str, Any]:
    """Return what a model says became of a known playbook."""
    return {
        "supporting_episode_ids": ["e1"],
        "playbook": "p1",
        "outcome": "success",
        "quote": "in colour again",
        "refined_steps": None,
        **fields,
    }


def told(**fields: Any) -> dict[str, Any]:
    """Return a new playbook as a model tells it."""
    return {
        "supporting_episode_ids": ["e1", "t1", "e2"],
        "trigger": "The printer prints stripes",
        "steps": ["Open the tray", "Clean the print head with a dry cloth"],
        "told_as": "worked",
        "quote": "no more stripes",
        **fields,
    }
