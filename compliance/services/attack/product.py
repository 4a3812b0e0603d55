"""The attack on the product: every operation, with an attacker's key, on everything the victim has."""

import json
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from compliance.services.attack.operations import Operation, Slot
from compliance.services.attack.planted import UUID_PATTERN, Planted

Json = Any
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)")
_REQUEST_ID = re.compile(r'"request_id":\s*"[^"]*"')
_DECIMAL = re.compile(r"-?\d+\.\d+(?:[eE]-?\d+)?")
_INTEGER = re.compile(r"(?<=:)\d+")
_NOBODY = "00000000-0000-7000-8000-000000000000"
SERVER_ERROR = 500
UNAVAILABLE = 503


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """What one request let out.

    kind: leak, hint (another answer than an unknown id gets) or fault (a 5xx). wall: between tenants, users or
    compartments.
    """

    kind: str
    operation: str
    slot: str
    detail: str
    wall: str = ""

    def __str__(self) -> str:
        return f"{self.wall}: {self.kind}: {self.operation} with {self.slot}: {self.detail}"


def attack_product(client: httpx.Client, operation: Operation, victim: Planted) -> Iterator[Breach]:
    """Try one operation: as documented, then with each of the victim's ids in each place that takes one.

    Each request is sent twice, with the victim's id and with one that nothing ever had: the answers must be equal but
    for the ids sent, or the difference tells that there is something. A caller's own names are its own to use, so for
    them only the status is compared.
    """
    yield from _looked_at(operation, "nothing", _send(client, operation, {}), victim)
    for slot in operation.slots:
        for known in dict.fromkeys(victim.things if slot.ours else victim.names):
            unknown = _unlike(known)
            one, other = (_send(client, operation, {slot: value}) for value in (known, unknown))
            yield from _looked_at(operation, str(slot), one, victim)
            yield from _looked_at(operation, str(slot), other, victim)
            same = _plain(one, known) == _plain(other, unknown) if slot.ours else one.status_code == other.status_code
            if not same:
                detail = f"{one.status_code} {one.text[:200]} but {other.status_code} {other.text[:200]}"
                yield Breach(kind="hint", operation=str(operation), slot=str(slot), detail=detail)


def _unlike(known: str) -> str:
    """Return an id beside a known one, of the same moment, so that pages cut by ids are the same for both."""
    return known[:-8] + secrets.token_hex(4)


def _send(client: httpx.Client, operation: Operation, values: Mapping[Slot, str]) -> httpx.Response:
    path, query = operation.path, {}
    body = json.loads(json.dumps(operation.example).replace("ENTITY", _NOBODY))
    for slot in operation.slots:
        value = values.get(slot)
        if slot.where == "path":
            path = path.replace("{" + slot.name + "}", value or _NOBODY)
        elif slot.where == "query" and value is not None:
            query[slot.name] = value
        elif value is not None:
            _put(body, slot.name.split("."), value)
    return client.request(operation.method, path, params=query, json=body)


def _put(body: Json, path: list[str], value: str) -> None:
    """Set a dotted place of a body, making what is missing on the way."""
    name, rest = path[0], path[1:]
    plain = name.removesuffix("[]")
    if not rest:
        body[plain] = [value] if plain != name else value
    elif plain != name:
        items = body.setdefault(plain, [{}])
        for item in items:
            _put(item, rest, value)
    else:
        _put(body.setdefault(plain, {}), rest, value)


def _looked_at(operation: Operation, slot: str, answer: httpx.Response, victim: Planted) -> Iterator[Breach]:
    # A name of the victim's that the attacker has written under is the attacker's own as well.
    asked = f"{answer.request.url}{answer.request.content.decode()}"
    told = f"{answer.text}{answer.headers}"
    out = [
        secret for secret in victim.secrets if secret in told and secret not in asked and secret not in victim.names
    ]
    if out:
        yield Breach(kind="leak", operation=str(operation), slot=slot, detail=f"{answer.status_code}: {out[:3]}")
    if answer.status_code >= SERVER_ERROR and answer.status_code != UNAVAILABLE:
        yield Breach(kind="fault", operation=str(operation), slot=slot, detail=f"{answer.status_code}")


def _plain(answer: httpx.Response, sent: str) -> tuple[int, str]:
    """Return status and body without what differs in any case: the id sent, new ids, moments, measured numbers."""
    text = _REQUEST_ID.sub("", answer.text.replace(sent, "<sent>"))
    for pattern in (_MOMENT, UUID_PATTERN, _DECIMAL, _INTEGER):
        text = pattern.sub("<>", text)
    return answer.status_code, text
