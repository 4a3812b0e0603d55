"""One row of everything, each text a word that nothing else has; and the walk of the whole API for such words."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from drf_spectacular.generators import SchemaGenerator

from tests.conftest import Caller

API = "/api/v1/"
FILTERED = ("slot", "category", "name", "type", "predicate", "document")
"""Whose words are tried as the value of every parameter of a query."""


@dataclass(slots=True, kw_only=True)
class Planted:
    """What was written. words: canaries, by the field they stand in. ids: of the rows, by what they are."""

    words: dict[str, str] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)
    tag: str

    def word(self, name: str) -> str:
        """Return the canary of a field, one word of letters."""
        return self.words.setdefault(name, f"zq{self.tag}{name.replace('_', '')}")

    @property
    def secrets(self) -> set[str]:
        """Return all that tells of the rows."""
        return {*self.words.values(), *self.ids.values()}


def plant(caller: Caller, tag: str, compartments: list[str], *, user_id: str | None = "u1") -> Planted:
    """Write a turn, a fact with its source, a playbook, entities, a relation and a document, through the API."""
    made = Planted(tag=tag)
    word = made.word
    own = {"compartments": compartments, **({"user_id": user_id} if user_id else {})}
    turn = post(caller, "turns/", {**own, "session_id": word("session"), "speaker": word("speaker"),
                                   "content": f"The {word('content')} sleeps", "agent_id": word("agent"),
                                   "metadata": {"note": word("turnmeta")}})  # fmt: skip
    after = post(caller, "turns/", {**own, "session_id": word("session"), "content": f"Then {word('next')}"})
    fact = post(caller, "memories/", {
        **own, "text": f"The {word('text')} is kept", "slot": word("slot"), "category": word("category"),
        "tags": [word("tag")], "metadata": {"note": word("meta")}, "sensitive_notes": word("notes"),
        "sources": [{"turn_id": turn["turn_id"]}],
    })  # fmt: skip
    playbook = post(caller, "procedures/", {**own, "trigger": f"When {word('trigger')}", "steps": [word("step")]})
    one = post(caller, "entities/", {**own, "entity_type": word("type"), "name": word("name"),
                                     "aliases": [word("alias")], "attributes": {"a": word("attribute")}})  # fmt: skip
    two = post(caller, "entities/", {**own, "entity_type": "place", "name": word("other")})
    relation = post(caller, "relations/", {**own, "subject_entity_id": one["id"], "object_entity_id": two["id"],
                                           "predicate": word("predicate")})  # fmt: skip
    document = {"id": word("document"), "title": word("title"), "text": f"The {word('body')} is wide",
                "tags": [word("doctag")], "metadata": {"a": word("docmeta")},
                "compartments": compartments}  # fmt: skip
    post(caller, "catalog/", {"documents": [document]}, status=200)
    row = caller.client.get(f"{API}catalog/{word('document')}/").json()
    made.ids = {
        "turn": turn["turn_id"], "episode": turn["memory_id"], "after": after["memory_id"], "fact": fact["id"],
        "playbook": playbook["id"], "one": one["id"], "two": two["id"], "relation": relation["id"], "row": row["id"],
    }  # fmt: skip
    return made


def post(caller: Caller, path: str, body: dict[str, Any], status: int = 201) -> dict[str, Any]:
    answer = caller.client.post(f"{API}{path}", body, format="json")
    assert answer.status_code == status, (path, answer.content)
    parsed: dict[str, Any] = answer.json()
    return parsed


def read_all(caller: Caller, planted: Planted) -> Iterator[tuple[str, Any]]:
    """Yield the answer of every GET, with every planted id in the path and every word in the query, and of recalls.

    The paths are those of the OpenAPI document, which has every URL: a new one joins by itself. What a problem
    repeats of its own request is left out.
    """
    for path, methods in _paths().items():
        if "get" not in methods:
            continue
        for filled, sent in _filled(path, planted):
            yield f"GET {filled}", _heard(caller.client.get(filled), sent)
        for parameter in methods["get"].get("parameters", ()):
            if parameter["in"] == "query" and "{" not in path:
                is_id = parameter["schema"].get("format") == "uuid"
                for value in planted.ids.values() if is_id else [planted.words[name] for name in FILTERED]:
                    answer = caller.client.get(path, {parameter["name"]: value})
                    yield f"GET {path}?{parameter['name']}={value}", _heard(answer, value)
    for word in planted.words.values():
        body = {"query": f"What of {word}?", "top_k": 50, "explain": True, "include_superseded": True}
        yield f"recall {word}", caller.client.post(f"{API}recall/", body, format="json")


def change_all(caller: Caller, planted: Planted) -> Iterator[tuple[str, Any]]:
    """Yield the answer of every other method of every path that takes an id, sent the document's own example.

    A template's name is the caller's to choose, and a new one makes a template.
    """
    for path, methods in _paths().items():
        if path.startswith("/api/v1/keys/templates/"):
            continue
        for method in methods.keys() - {"get"} if "{" in path else ():
            content = methods[method].get("requestBody", {}).get("content", {}).get("application/json", {})
            bodies = [example["value"] for example in content.get("examples", {}).values()] or [{}]
            for filled, sent in _filled(path, planted):
                answer = getattr(caller.client, method)(filled, bodies[0], format="json")
                yield f"{method} {filled}", _heard(answer, sent)


def told(answer: Any) -> str:
    """Return all that an answer says: body and headers."""
    return f"{answer.content.decode()}{answer.headers}"


def _paths() -> dict[str, dict[str, Any]]:
    document = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    found: dict[str, dict[str, Any]] = document["paths"]
    return found


def _filled(path: str, planted: Planted) -> list[tuple[str, str]]:
    """Return a path with each of the ids in its place, and that id."""
    if "{" not in path:
        return [(path, "")]
    start, _, rest = path.partition("{")
    ids = [*planted.ids.values(), planted.words["document"]]
    return [(f"{start}{object_id}{rest.partition('}')[2]}", object_id) for object_id in ids]


def _heard(answer: Any, sent: str) -> Any:
    if sent and answer.status_code >= 400:
        answer.content = answer.content.replace(sent.encode(), b"")
    return answer
