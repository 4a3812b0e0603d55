"""`python -m benchmarks.neighbours --data FILE --engine ENGINE`: whether a neighbour changes one's answers.

A stack of its own is started and removed. One conversation is told and its questions are asked, with their scores;
then another tenant gets many documents in the same engine, and the questions are asked again.
"""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
from uuid_utils.compat import uuid7

from backends.embedders.bundled import BundledEmbedder
from backends.search.connect import connect
from benchmarks.neighbours.compare import compared, table
from benchmarks.neighbours.load import add_documents
from benchmarks.place import ENGINES, throwaway_stack
from benchmarks.recall_quality.conversations import Conversation
from benchmarks.recall_quality.ingest import ingest
from benchmarks.recall_quality.locomo import load_locomo
from memory_site.demo.client import Api
from memory_site.demo.failure import ApiFailed
from memory_site.stack.errors import StackFailed
from memory_site.stack.stack import Stack

TOP_K = 80
SEED = 20_261_130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and return its exit code: 0, or 1 with one sentence on standard error."""
    options = _parser().parse_args(arguments)
    try:
        print(measure(options))
    except (ApiFailed, StackFailed) as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


def measure(options: argparse.Namespace) -> str:
    """Return the comparison as text. Raises ApiFailed or StackFailed, when the server or stack cannot go on."""
    search, count, questions = options.engine, options.documents, options.questions
    conversation = load_locomo(options.data).conversations[0]
    with throwaway_stack(search, extra={"ISOLATION": options.isolation}) as stack:
        key = stack.create_tenant("measured")
        with Api(stack.url, key) as api:
            ingest([conversation], {conversation.id: api})
        before = _asked(stack, key, conversation, questions)
        again = _asked(stack, key, conversation, questions)
        begin = time.perf_counter()
        url = stack.environment_of("mneme_worker")["SEARCH_URL"]
        engine = connect(url, isolation=options.isolation)
        texts = [turn.text for turn in conversation.turns]
        applied = add_documents(engine, BundledEmbedder(), texts, tenant_id=uuid7(), count=count, seed=SEED)
        seconds = time.perf_counter() - begin
        after = _asked(stack, key, conversation, questions)
    wall = f", ISOLATION={options.isolation}" if search == "elasticsearch" else ""
    told = f"{search}{wall}: {applied} documents of a neighbour in {seconds:.0f} s, vectors mixed from real ones"
    return "\n".join([told, table({"twice, alone": compared(before, again), "with them": compared(before, after)})])


def _asked(stack: Stack, key: str, conversation: Conversation, questions: int) -> list[Mapping[str, Any]]:
    headers = {"Authorization": f"Bearer {key}"}
    answers = []
    with httpx.Client(base_url=f"{stack.url}/api/v1/", headers=headers, timeout=60, trust_env=False) as client:
        for question in conversation.questions[:questions]:
            body = {"query": question.text, "user_id": conversation.id, "top_k": TOP_K, "explain": True,
                    "valid_at": conversation.ended_at.isoformat()}  # fmt: skip
            answer = client.post("recall/", json=body)
            if not answer.is_success:
                raise ApiFailed(f"recall/ answered {answer.status_code}: {answer.text[:200]}")
            answers.append(answer.json())
    return answers


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.neighbours", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a file in LoCoMo's layout; its first conversation")
    parser.add_argument("--engine", choices=ENGINES, default="postgres", help="the engine (default: %(default)s)")
    parser.add_argument("--isolation", choices=("document", "index"), default="document", help="on Elasticsearch")
    parser.add_argument("--documents", type=int, default=100_000, help="of the neighbour (default: %(default)s)")
    parser.add_argument("--questions", type=int, default=100, help="asked before and after (default: %(default)s)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
