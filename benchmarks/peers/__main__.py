"""`python -m benchmarks.peers --data FILE`: mem0 and this project, the same turns and questions in turn.

mem0 stores each turn as it is (infer=False), with its date and speaker before it, embeds by the same model, and
stands behind a small HTTP server as we stand behind ours. Each question goes to both, one after the other, so that
whatever else the machine does falls on both.
"""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import httpx

from benchmarks.peers.mem0_client import PACKAGE, Mem0, PeerFailed, running_mem0
from benchmarks.place import ENGINES, own_place
from benchmarks.recall_quality.asking import ranks_of
from benchmarks.recall_quality.conversations import Conversation, Question, tenants_of
from benchmarks.recall_quality.ingest import ingest
from benchmarks.recall_quality.locomo import load_locomo
from benchmarks.recall_quality.metrics import Ranks, recall_at
from benchmarks.timing import p50, p95
from memories.lines import dated, line
from memory_site.demo.client import Api
from memory_site.demo.failure import ApiFailed
from memory_site.stack.errors import StackFailed
from memory_site.stack.stack import Search

TOP_K = 10
WARM_UP = 5


class Side:
    """One side's outcome."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.ranks: list[Ranks] = []
        self.ms: list[float] = []
        self.stored_s = 0.0

    def note(self, conversation: Conversation, question: Question, found: Sequence[str], ms: float) -> None:
        """Note one answer."""
        gold = [conversation.twins[turn] for turn in question.gold]
        self.ranks.append(ranks_of(gold, [conversation.twins.get(turn, turn) for turn in found]))
        self.ms.append(ms)

    def row(self) -> str:
        """Return the side's figures as a row."""
        five, ten = (sum(recall_at(ranks, k) for ranks in self.ranks) / len(self.ranks) for k in (5, 10))
        return (
            f"| {self.name} | {len(self.ranks)} | {five:.3f} | {ten:.3f} | {p50(self.ms):.1f} | {p95(self.ms):.1f}"
            f" | {self.stored_s:.0f} |"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run both and return the exit code: 0, or 1 with one sentence on standard error."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a file in LoCoMo's layout")
    parser.add_argument("--engine", choices=ENGINES, default="postgres", help="our engine (default: %(default)s)")
    parser.add_argument("--conversations", type=int, help="so many of the file (default: all)")
    parser.add_argument("--questions", type=int, help="so many of each conversation (default: all)")
    options = parser.parse_args(arguments)
    conversations = [
        replace(conversation, questions=conversation.questions[: options.questions])
        for conversation in load_locomo(options.data).conversations[: options.conversations]
    ]
    try:
        ours, peer = compare(conversations, options.engine)
    except (ApiFailed, StackFailed, PeerFailed, httpx.HTTPError) as failure:
        print(failure, file=sys.stderr)
        return 1
    print("| | questions | R@5 | R@10 | p50 ms | p95 | stored and searchable after s |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    print(ours.row())
    print(peer.row())
    return 0


def compare(conversations: Sequence[Conversation], engine: Search) -> tuple[Side, Side]:
    """Tell both the conversations, one after the other, and ask both each question in turn."""
    ours, theirs = Side(f"Mneme, {engine}"), Side(f"{PACKAGE}, infer=False")
    with own_place(engine, tenants_of(conversations)) as place:
        apis = {slug: Api(place.url, key) for slug, key in place.keys.items()}
        ingested = ingest(conversations, apis)
        ours.stored_s = ingested.searchable_s
        with running_mem0() as mem0:
            theirs.stored_s = _tell(mem0, conversations)
            for conversation in conversations:
                api, turn_ids = apis[conversation.tenant], ingested.turn_ids[conversation.id]
                for question in conversation.questions[:WARM_UP]:
                    _ours(api, conversation, question, turn_ids)
                    _theirs(mem0, conversation, question)
                for question in conversation.questions:
                    ours.note(conversation, question, *_ours(api, conversation, question, turn_ids))
                    theirs.note(conversation, question, *_theirs(mem0, conversation, question))
    return ours, theirs


def _tell(mem0: Mem0, conversations: Sequence[Conversation]) -> float:
    begin = time.perf_counter()
    for conversation in conversations:
        for turn in conversation.turns:
            mem0.add(conversation.id, turn.id, dated(line(turn.speaker or turn.role, turn.text), turn.occurred_at))
    return time.perf_counter() - begin


def _ours(
    api: Api, conversation: Conversation, question: Question, turn_ids: Mapping[str, str]
) -> tuple[list[str], float]:
    answer = api.recall(
        {
            "query": question.text, "user_id": conversation.user_id, "top_k": TOP_K,
            "valid_at": conversation.ended_at.isoformat(),
        }
    )  # fmt: skip
    return [turn_ids.get(hit.turn_id, "") for hit in answer.hits], answer.client_ms


def _theirs(mem0: Mem0, conversation: Conversation, question: Question) -> tuple[list[str], float]:
    begin = time.perf_counter()
    found = mem0.search(conversation.id, question.text, top_k=TOP_K)
    return found, (time.perf_counter() - begin) * 1000


if __name__ == "__main__":
    sys.exit(main())
