"""Telling the stories to the API, stage by stage."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from benchmarks.lifecycle.stories import STAGES, Fact, Stories, Told
from memory_site.demo.client import Api

SEARCHABLE_WITHIN_S = 1800.0
APART_S = 1.1
"""Between two stages, so that a moment lies clearly between them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What came of it. texts: our id -> the text that recall will show. facts: the API's id of a fact -> ours.

    moments: stage -> a moment after its end. written_at: our id of a fact -> when.
    """

    texts: Mapping[str, str]
    facts: Mapping[str, str]
    moments: Mapping[int, datetime]
    written_at: Mapping[str, datetime]


def tell(api: Api, stories: Stories) -> Written:
    """Write everything and wait until it is searchable. Raises ApiFailed."""
    texts = {said.id: said.text for told in stories.told for said in told.turns if said.id}
    api.put_documents([dict(document) for document in stories.catalog])
    texts |= {document["id"]: document["text"] for document in stories.catalog}
    for told in stories.told:
        api.record_batch([_turn(told, number) for number in range(len(told.turns))])
    facts: dict[str, str] = {}
    moments: dict[int, datetime] = {}
    written_at: dict[str, datetime] = {}
    ours: dict[str, str] = {}
    for stage in STAGES:
        for playbook in (one for one in stories.playbooks if one["stage"] == stage):
            texts[playbook["id"]] = str(api.write_playbook(_body(playbook))["text"])
        for fact in (one for one in stories.facts if one.stage == stage):
            ours[fact.id] = api.write_fact(_fact(fact, ours))
            facts[ours[fact.id]] = fact.id
            written_at[fact.id] = datetime.now(UTC)
            texts[fact.id] = fact.body["text"]
        time.sleep(APART_S)
        moments[stage] = datetime.now(UTC)
        time.sleep(APART_S)
    api.wait_until_searchable(within_s=SEARCHABLE_WITHIN_S)
    return Written(texts=texts, facts=facts, moments=moments, written_at=written_at)


def _turn(told: Told, number: int) -> dict[str, Any]:
    said = told.turns[number]
    return {
        "user_id": told.user,
        "session_id": told.session,
        "role": said.role,
        "content": said.text,
        "occurred_at": said.occurred_at.isoformat(),
    }


def _body(playbook: Mapping[str, Any]) -> dict[str, Any]:
    body = {"trigger": playbook["trigger"], "steps": playbook["steps"]}
    return body if playbook["user"] is None else {**body, "user_id": playbook["user"]}


def _fact(fact: Fact, ours: Mapping[str, str]) -> dict[str, Any]:
    body = {**fact.body, "user_id": fact.user}
    if fact.supersedes is not None:
        body |= {"supersedes_id": ours[fact.supersedes], "contradiction": fact.contradiction}
    return body
