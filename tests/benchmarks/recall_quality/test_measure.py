"""The whole benchmark, on a conversation of our own, against a running server."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from benchmarks.place import given_place
from benchmarks.recall_quality.__main__ import measure
from benchmarks.recall_quality.locomo import load_locomo
from tests.benchmarks.recall_quality.made_up import write_sample


class LiveStack(Protocol):
    """A running server with the tenant acme."""

    url: str
    keys: Mapping[str, str]


def test_gold_turns_are_found_and_a_second_run_writes_nothing(live_stack: LiveStack, tmp_path: Path) -> None:
    data = load_locomo(write_sample(tmp_path))
    keys_file = tmp_path / "keys.json"
    keys_file.write_text(json.dumps({"tenants": {"acme": {"api_key": live_stack.keys["acme"]}}}))

    with given_place(live_stack.url, keys_file, ["acme"]) as place:
        first = measure(data, place, engine="unknown")
        second = measure(data, place, engine="unknown")
    assert first.ingested.turns + first.ingested.replayed == 4
    assert len(first.asked) == 3
    for one in first.asked:
        assert all(rank is not None and rank <= 4 for rank in one.ranks)
        assert one.returned == 4

    assert (second.ingested.turns, second.ingested.replayed) == (0, 4)
    assert [one.ranks for one in second.asked] == [one.ranks for one in first.asked]
