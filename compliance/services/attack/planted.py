"""What the victim of an attack has, planted through the API as any client would."""

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

UUID_PATTERN = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
API = "/api/v1/"


class PlantingFailed(Exception):
    """The product did not take what every client may send."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """What only this party knows.

    word: one word that is in every text. names: external ids that no other party uses. ids: every id that the product
    gave. turn_id, memory_id: an episode; subject_id: whose it is. user_id: an external id that both parties use.
    """

    word: str
    names: Sequence[str]
    ids: Sequence[str]
    things: Sequence[str]
    turn_id: str
    memory_id: str
    subject_id: str
    user_id: str

    @property
    def secrets(self) -> list[str]:
        """Return every string that no answer to anybody else may hold; the word first."""
        return [self.word, *self.names, *self.ids]


def plant(client: httpx.Client, *, user_id: str, words: Sequence[str] = (), catalog: bool = True) -> Planted:
    """Write a turn, facts, entities, a relation, a playbook and a document of the catalog.

    client: sends a key. user_id: of another party too, since ids of callers are not secrets and must not mix up.
    words: go into the turn's text. catalog: False where its document, which a whole tenant shares, is no secret.
    Raises PlantingFailed.
    """
    word, name = f"q{secrets.token_hex(8)}", f"only-{secrets.token_hex(6)}"
    turn = _sent(client, "turns/", {"user_id": user_id, "session_id": "chat-1", "metadata": {"note": word},
                                    "content": " ".join(["The", word, "otter", *words])})  # fmt: skip
    own = _sent(client, "turns/", {"user_id": user_id, "session_id": name, "content": f"{word} has a session"})
    fact = _sent(client, "memories/", {"user_id": user_id, "text": f"The code is {word}", "slot": "residence",
                                       "sources": [{"turn_id": turn["turn_id"], "start": 0}]})  # fmt: skip
    entities = [
        _sent(client, "entities/", {"user_id": user_id, "entity_type": "courier", "name": f"{word} {place}"})
        for place in ("north", "south")
    ]
    link = {"user_id": user_id, "subject_entity_id": entities[0]["id"], "predicate": "delivers to",
                "object_entity_id": entities[1]["id"]}  # fmt: skip
    playbook = {"user_id": user_id, "trigger": f"The {word} lamp drops off", "steps": [f"Move the {word}"]}
    relation, procedure = _sent(client, "relations/", link), _sent(client, "procedures/", playbook)
    document = {"documents": [{"id": name, "title": word, "text": f"Channel {word} is the quietest."}]}
    shared = _sent(client, "catalog/", document) if catalog else {}
    recalled = _sent(client, "recall/", {"user_id": user_id, "query": word, "include_catalog": catalog})
    (subject,) = client.get(f"{API}subjects/", params={"user_id": user_id}).json()["results"]
    nouns = [turn, fact, entities[0], relation, procedure, shared, subject]
    ids = dict.fromkeys(UUID_PATTERN.findall(repr([*nouns, own, *entities, recalled])))
    return Planted(
        word=word,
        names=[name],
        ids=list(ids),
        things=[turn["turn_id"], *(id_ for noun in nouns for id_ in UUID_PATTERN.findall(repr(noun))[:1])],
        turn_id=turn["turn_id"],
        memory_id=turn["memory_id"],
        subject_id=subject["id"],
        user_id=user_id,
    )


def _sent(client: httpx.Client, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
    answer = client.post(f"{API}{path}", json=body)
    if not answer.is_success:
        raise PlantingFailed(f"POST {path} answered {answer.status_code}: {answer.text[:300]}")
    parsed: dict[str, Any] = answer.json()
    return parsed
