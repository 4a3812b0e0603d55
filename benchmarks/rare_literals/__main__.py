"""`python -m benchmarks.rare_literals --engine ENGINE`: 50 codes and numbers among 2,000 records of one user.

A stack of its own is started and removed. Each literal is asked for by itself and in an English and a Chinese
sentence. Exit code 1 when a bare one is not first, or one in a sentence not among the first ten.
"""

import argparse
import sys
from collections.abc import Sequence

from benchmarks.place import ENGINES, throwaway_stack
from benchmarks.rare_literals.asking import ask_all, missed, table
from benchmarks.rare_literals.literals import make_records
from memory_site.demo.client import Api
from memory_site.demo.failure import ApiFailed
from memory_site.stack.errors import StackFailed

SEED = 20_261_130
BATCH = 500
SEARCHABLE_WITHIN_S = 3600.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rare_literals", description=__doc__)
    parser.add_argument("--engine", choices=ENGINES, default="postgres", help="the engine (default: %(default)s)")
    parser.add_argument("--records", type=int, default=2_000, help="in all (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="decides the literals (default: %(default)s)")
    options = parser.parse_args(arguments)
    records = make_records(options.records, seed=options.seed)
    try:
        with throwaway_stack(options.engine) as stack, Api(stack.url, stack.create_tenant("literals")) as api:
            told: dict[str, str] = {}
            for start in range(0, len(records.texts), BATCH):
                part = records.texts[start : start + BATCH]
                turns = [{"user_id": "ada", "session_id": "notes", "content": text} for text in part]
                told.update(zip(api.record_batch(turns).turn_ids, part, strict=True))
            api.wait_until_searchable(within_s=SEARCHABLE_WITHIN_S)

            def recall(question: str, top_k: int) -> list[str]:
                answer = api.recall({"user_id": "ada", "query": question, "top_k": top_k})
                return [told.get(hit.turn_id or "", hit.text) for hit in answer.hits]

            asked = ask_all(records.literals, recall)
    except (ApiFailed, StackFailed) as failure:
        print(failure, file=sys.stderr)
        return 1
    print(table(asked))
    short = missed(asked)
    for one in short:
        print(f"MISSED {one.literal.kind} {one.way}: {one.question!r} ranks {dict(one.ranks)}")
    print(f"{options.engine}: {len(asked) - len(short)} of {len(asked)} as they must be")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
