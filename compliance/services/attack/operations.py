"""Every operation of the API, as its own OpenAPI document says: a new one is attacked without being listed here."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from compliance.services.attack.planted import API

Json = Any
OPENAPI_JSON = "application/vnd.oai.openapi+json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A place of a request that takes an id. where: path, query or body; ours: an id that we gave, not the caller."""

    where: str
    name: str
    ours: bool

    def __str__(self) -> str:
        return f"{self.where} {self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method of one URL.

    example: the body of the documented example, or an empty one; None without a body.
    creates: it may answer with 201.
    """

    method: str
    path: str
    slots: tuple[Slot, ...]
    example: Mapping[str, Json] | None = field(default=None)
    creates: bool = False

    @property
    def makes(self) -> bool:
        """Say whether it can make something new."""
        names_it = any(slot.where == "path" for slot in self.slots)
        return self.method == "PUT" or (self.method == "POST" and not names_it)

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def operations(client: httpx.Client) -> list[Operation]:
    """Return all operations, those last that make something of the attacker's own under the ids tried.

    Raises httpx.HTTPStatusError, when there is no document.
    """
    answer = client.get("/api/schema/", headers={"Accept": OPENAPI_JSON})
    answer.raise_for_status()
    document = answer.json()
    found = [
        _operation(document, method, path, description)
        for path, methods in document["paths"].items()
        if path.startswith(API)
        for method, description in methods.items()
    ]
    return sorted(found, key=lambda operation: (operation.makes, operation.creates))


def _operation(document: Json, method: str, path: str, description: Json) -> Operation:
    slots = [
        Slot(where=item["in"], name=item["name"], ours=item["schema"].get("format") == "uuid")
        for item in description.get("parameters", ())
        if item["in"] != "header" and item["schema"].get("type") == "string" and "enum" not in item["schema"]
    ]
    body = description.get("requestBody", {}).get("content", {}).get("application/json")
    example: Mapping[str, Json] | None = None
    if body is not None:
        examples = list(body.get("examples", {}).values())
        example = examples[0]["value"] if examples else {}
        slots += _id_fields(document, body["schema"])
    creates = "201" in description["responses"]
    return Operation(method=method.upper(), path=path, slots=tuple(slots), example=example, creates=creates)


def _id_fields(document: Json, schema: Json, prefix: str = "") -> Iterator[Slot]:
    """Yield the fields that name a thing, with dots; `[]` stands for the one item of a list."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    for part in schema.get("allOf", ()):
        yield from _id_fields(document, part, prefix)
    for name, value in schema.get("properties", {}).items():
        yield from _within(document, value, f"{prefix}{name}")


def _within(document: Json, value: Json, place: str) -> Iterator[Slot]:
    last = place.rpartition(".")[2].removesuffix("[]")
    if value.get("type") == "array":
        yield from _within(document, value.get("items", {}), f"{place}[]")
    elif "properties" in value or "$ref" in value or "allOf" in value:
        yield from _id_fields(document, value, f"{place}.")
    elif value.get("format") == "uuid":
        yield Slot(where="body", name=place, ours=True)
    elif value.get("type") == "string" and (last == "id" or last.endswith(("_id", "_ids"))):
        yield Slot(where="body", name=place, ours=False)
