"""docs/filters.md: every example does what the page says, in lists and in recall, on every engine."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from backends.search.filters import FIELDS, METADATA
from memories.forms.filter_reader import CONDITIONS_MAX, CONTAINS_MAX, DEPTH_MAX, VALUES_MAX
from memories.forms.filter_values import KEY_MAX_LENGTH, OPERATORS, PART_MAX_LENGTH, SPELLINGS, TEXT_MAX_LENGTH
from tests.conftest import Caller
from tests.memories.canaries import API, post

PAGE = (Path(__file__).parent.parent / "docs" / "filters.md").read_text(encoding="utf-8")


def corpus() -> list[dict[str, Any]]:
    block = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert block is not None
    found: list[dict[str, Any]] = json.loads(block[1])
    return found


def examples() -> list[tuple[str, set[str]]]:
    rows = re.findall(r"^\| `(\{.*\})` \| (none|[1-4, ]+) \|$", PAGE, re.MULTILINE)
    return [(asked, set() if found == "none" else set(found.split(", "))) for asked, found in rows]


def numbers(answer: Any) -> set[str]:
    assert answer.status_code == 200, answer.content
    return {row["text"].partition(":")[0] for row in answer.json()["results"]}


def test_every_example_does_what_the_page_says(acme: Caller, each_engine: str, drain: Callable[[], None]) -> None:
    for memory in corpus():
        post(acme, "memories/", memory)
    drain()
    rows = examples()
    assert len(rows) > 30
    for asked, found in rows:
        assert numbers(acme.client.get(f"{API}memories/", {"filters": asked})) == found, asked
        for overlay in (True, False):
            body = {"query": "tea coffee cello nothing", "filters": json.loads(asked), "overlay": overlay}
            assert numbers(acme.client.post(f"{API}recall/", body, format="json")) == found, asked


def test_every_operator_field_and_limit_is_on_the_page() -> None:
    asked = "".join(text for text, _ in examples())
    for operators in OPERATORS.values():
        assert all(f'"{operator}"' in asked for operator in operators)
    for name in [*FIELDS, *SPELLINGS]:
        assert f"`{name}`" in PAGE or name == METADATA, name
    for sort in set(FIELDS.values()):
        assert any(f'"{name}' in asked for name, own in FIELDS.items() if own is sort), sort
    for word in ("AND", "OR", "NOT"):
        assert f'"{word}"' in asked
    lengths = (TEXT_MAX_LENGTH, PART_MAX_LENGTH, KEY_MAX_LENGTH)
    for limit in (DEPTH_MAX, CONDITIONS_MAX, CONTAINS_MAX, VALUES_MAX, *lengths):
        assert f"{limit:,}" in PAGE
