"""A fact of the demo: written, superseded, and asked for as it is, with what it replaced, and as it was."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from memory_site.demo.client import Api, Recalled

TENANT = "acme"
USER_ID = "maria.lind"
SLOT = "home"
QUESTION = "Where does Maria live?"
BEFORE = {"text": "Maria lives in Bristol", "valid_from": "2025-09-14T09:12:00+01:00"}
AFTER = {"text": "Maria lives in Edinburgh", "valid_from": "2026-02-20T18:03:00+00:00"}
BEFORE_TURN, AFTER_TURN = "acme-maria-1-01", "acme-maria-3-01"
"""The sample turns in which she said so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One way to ask about the fact, in the words of the API, and the answer."""

    asked: str
    answer: Recalled


def write_facts(api: Api, turn_ids: Mapping[str, str]) -> bool:
    """Write the fact and supersede it, where the slot is not filled already; say whether anything was written.

    turn_ids: the API's turn id -> the sample's, as a replay returns them.
    """
    held = api.facts(user_id=USER_ID, slot=SLOT, status="active")
    if held and held[0]["text"] != BEFORE["text"]:
        return False
    ours = {sample: turn_id for turn_id, sample in turn_ids.items()}
    old = str(held[0]["id"]) if held else api.write_fact(_fact(BEFORE, ours[BEFORE_TURN]))
    api.write_fact({**_fact(AFTER, ours[AFTER_TURN]), "supersedes_id": old, "contradiction": "natural"})
    return True


def view_facts(api: Api) -> Iterator[View]:
    """Ask as things are, with what was superseded, and as was believed just after the first was written."""
    question = {"query": QUESTION, "user_id": USER_ID, "memory_types": ["semantic"], "top_k": 2}
    yield View(asked="now", answer=api.recall(question))
    yield View(asked="include_superseded", answer=api.recall({**question, "include_superseded": True}))
    for old in api.facts(user_id=USER_ID, slot=SLOT, status="superseded")[:1]:
        then = old["recorded_at"]
        yield View(asked=f"as_of {then}", answer=api.recall({**question, "as_of": then}))


def _fact(said: Mapping[str, str], turn_id: str) -> dict[str, Any]:
    return {"user_id": USER_ID, "slot": SLOT, **said, "sources": [{"turn_id": turn_id}]}
