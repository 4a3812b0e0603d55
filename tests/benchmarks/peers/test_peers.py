import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest

from backends.embedders.bundled import BundledEmbedder
from benchmarks.peers.__main__ import Side
from benchmarks.recall_quality.conversations import Conversation, Question, Turn
from benchmarks.recall_quality.jsonl import FIRST
from memory_site.stack.guardian import CHECKOUT


@pytest.fixture
def model_url() -> Iterator[str]:
    command = [sys.executable, "-m", "benchmarks.peers.embedding_server"]
    with subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        process.terminate()


def test_the_model_is_served_as_others_ask_for_it(model_url: str) -> None:
    asked = {"model": "bundled", "input": ["a heron", "一只苍鹭"], "encoding_format": "float"}
    answer = httpx.post(f"{model_url}/embeddings", json=asked, trust_env=False, timeout=60).json()
    assert [one["index"] for one in answer["data"]] == [0, 1]
    for text, one in zip(asked["input"], answer["data"], strict=True):
        assert one["embedding"] == pytest.approx([float(x) for x in BundledEmbedder().query(text)], abs=1e-6)
    alone = httpx.post(
        f"{model_url}/embeddings", json={"model": "bundled", "input": "a heron"}, trust_env=False, timeout=60
    )
    assert len(alone.json()["data"]) == 1


def test_a_side_counts_what_it_found_and_twins_as_one() -> None:
    turns = tuple(
        Turn(id=str(place), session_id="s", speaker="Ines", text=text, occurred_at=FIRST)
        for place, text in enumerate(["one", "two", "one"])
    )
    question = Question(index=0, text="Which?", category="all", gold=("0", "1"))
    conversation = Conversation(id="c", turns=turns, questions=(question,), ended_at=FIRST, tenant="c", user_id="c")
    side = Side("ours")
    side.note(conversation, question, ["2"], 10.0)
    side.note(conversation, question, ["x"] * 5 + ["1", "0"], 30.0)
    side.stored_s = 7.4
    assert side.row() == "| ours | 2 | 0.250 | 0.750 | 10.0 | 30.0 | 7 |"
