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


def plant(
    client: httpx.Client,
    *,
    user_id: str,
    words: Sequence[str] = (),
    catalog: bool = True,
    compartments: Sequence[str] = (),
) -> Planted:
    """Write turns, a fact, entities, a relation, a playbook and a document of the catalog.

    client: sends a key. user_id: of another party too, since ids of callers are not secrets and must not mix up.
    words: go into the turn's text. catalog: False where its document, which a whole tenant shares, is no secret.
    compartments: of all that is written; the user is then known to the whole tenant, and no secret.
    Raises PlantingFailed.
    """
    word, name = f"q{secrets.token_hex(8)}", f"only-{secrets.token_hex(6)}"
    kept: dict[str, Any] = {"compartments": list(compartments)} if compartments else {}
    whose = {"user_id": user_id, **kept}
    text = " ".join(["The", word, "otter", *words])
    turn = _sent(client, "turns/", {**whose, "session_id": "chat-1", "metadata": {"note": word}, "content": text})
    own = _sent(client, "turns/", {**whose, "session_id": name, "content": f"{word} has a session"})
    source = {"turn_id": turn["turn_id"], "start": 0}
    told = {**whose, "text": f"The code is {word}", "slot": "residence", "sources": [source]}
    fact = _sent(client, "memories/", told)
    courier = {**whose, "entity_type": "courier"}
    north, south = (_sent(client, "entities/", {**courier, "name": f"{word} {place}"}) for place in ("N", "S"))
    link = {"subject_entity_id": north["id"], "predicate": "delivers to", "object_entity_id": south["id"]}
    relation = _sent(client, "relations/", {**whose, **link})
    playbook = {**whose, "trigger": f"The {word} lamp drops off", "steps": [f"Move the {word}"]}
    procedure = _sent(client, "procedures/", playbook)
    document = {"id": name, "title": word, "text": f"Channel {word} is the quietest.", **kept}
    shared = _sent(client, "catalog/", {"documents": [document]}) if catalog else {}
    (subject,) = client.get(f"{API}subjects/", params={"user_id": user_id}).json()["results"]
    nouns = [turn, fact, north, relation, procedure, shared, *([] if compartments else [subject])]
    ids = dict.fromkeys(UUID_PATTERN.findall(repr([*nouns, own, south])))
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
