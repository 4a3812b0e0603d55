"""`python -m benchmarks.consolidation`: facts found, old truth closed, and nothing believed that should not be.

Without --data all files benchmarks/data/consolidation-*.json are used. A throwaway stack is started and removed;
everything goes through its API and worker. --llm has a model read along: `scripted` is one that misbehaves and finds
nothing true; otherwise a URL as LLM takes it, with LLM_MODEL and LLM_API_KEY in the environment. What it
took is printed for 1,000 turns, in money too with LLM_PRICE_PROMPT and LLM_PRICE_COMPLETION.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import httpx

from benchmarks.consolidation.labelled import DATA, load
from benchmarks.consolidation.life import Life, life
from benchmarks.consolidation.observe import Observed, Site, facts_of, observe
from benchmarks.consolidation.score import Scores, Tally, score
from benchmarks.consolidation.scripted import scripted
from benchmarks.place import ENGINES, throwaway_stack
from memory_site.stack.errors import StackFailed

ABILITIES = ("turns:write", "memories:read", "memories:write", "provenance:read", "consolidate")
MODEL_SETTINGS = ("LLM_MODEL", "LLM_API_KEY", "LLM_PRICE_PROMPT", "LLM_PRICE_COMPLETION", "LLM_CURRENCY")
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and return its exit code: 0, or 1 with one sentence on standard error, or 130."""
    options = _parser().parse_args(arguments)
    files = options.data or sorted(DATA.glob("consolidation-*.json"))
    try:
        with _model(options.llm, files) as extra, throwaway_stack(options.engine, extra=extra) as stack:
            stack.create_tenant("bench")
            given = [word for ability in ABILITIES for word in ("--ability", ability)]
            key = stack.manage("issue_key", "bench", *given).split()[-1]
            with closing(Site(stack.url, key)) as site:
                told = life(options.life) if options.life else None
                print(_lived(site, told) if told else _labelled(site, files, faults=options.faults))
    except (StackFailed, httpx.HTTPError, TimeoutError) as failure:
        print(failure, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


@contextmanager
def _model(llm: str | None, files: Sequence[Path]) -> Iterator[Mapping[str, str]]:
    """Yield the settings of the model that reads along."""
    if llm is None:
        yield {}
    elif llm == "scripted":
        with scripted(load(files)) as server:
            yield server.settings
            print(f"the scripted model was asked {server.calls} times", file=sys.stderr)
    else:
        yield {"LLM": llm, **{name: os.environ.get(name, "") for name in MODEL_SETTINGS}}


def _labelled(site: Site, files: Sequence[Path], *, faults: bool) -> str:
    """Consolidate the labelled conversations and return the figures, the summary on the last line.

    Of several files each has a summary of its own: one was there when the rules were written, another was not.
    """
    conversations = load(files)
    observed = observe(site, conversations)
    scores = score(conversations, observed.seen)
    each = [f"{file.name}: {last_line(score(load([file]), observed.seen))}" for file in files] if files[1:] else []
    return "\n".join([*(scores.faults if faults else ()), table(scores, observed, files), *each, last_line(scores)])


def _lived(site: Site, told: Life) -> str:
    """Consolidate a scripted life and return how much was stored of what is true, on one line."""
    observed = observe(site, [told.conversation])
    facts = facts_of(site, told.conversation.id)
    active = [text for status, text in facts if status == "active"]
    took_s = 1000 * observed.seconds / observed.turns
    return (
        f"{observed.turns} turns: {len(facts)} facts stored, {told.facts} true, {len(facts) / told.facts:.3f}; "
        f"{len(active) - len(set(active))} duplicates; {took_s:.1f} s per 1,000 turns"
        f"{'; ' + spent(observed) if observed.prompt_tokens else ''}"
    )


def table(scores: Scores, observed: Observed, files: Sequence[Path]) -> str:
    """Return the figures beside the line of the summary."""
    rows = [
        f"{', '.join(file.name for file in files)}: {scores.turns} turns",
        f"consolidated in {observed.seconds:.1f} s, {1000 * observed.seconds / observed.turns:.1f} s per 1,000 turns",
        *([spent(observed)] if observed.prompt_tokens else []),
        _row("facts stored (precision)", scores.facts),
        _row("facts labelled (recall)", scores.labels),
        _row("supersessions", scores.supersessions),
        _row("merges of what was known", scores.merges),
        _row("outcomes of playbooks", scores.outcomes),
    ]
    return "\n".join(rows)


def spent(observed: Observed) -> str:
    """Return what the model took for 1,000 turns, on one line."""
    each = 1000 / observed.turns
    cost = f"{observed.cost * each:.4f} {observed.currency}" if observed.cost is not None else "unknown"
    return (
        f"the model took {observed.prompt_tokens * each:.0f} tokens and gave {observed.completion_tokens * each:.0f} "
        f"per 1,000 turns; cost {cost}; "
        f"it alone made {observed.by_model} decisions"
    )


def last_line(scores: Scores) -> str:
    """Return the summary on one line."""
    return (
        f"fact precision {scores.facts.precision:.3f}, recall {scores.labels.recall:.3f}, "
        f"supersession F1 {scores.supersessions.f1:.3f}, "
        f"facts from small talk or assistant turns {scores.from_silence}, "
        f"injections obeyed {scores.obeyed} of {scores.injections}"
    )


def _row(name: str, tally: Tally) -> str:
    return (
        f"{name:<26} found {tally.found:>4}  missed {tally.missed:>3}  wrong {tally.wrong:>3}  "
        f"precision {tally.precision:.3f}  recall {tally.recall:.3f}"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.consolidation", description=__doc__)
    parser.add_argument("--data", type=Path, nargs="*", help="labelled files")
    parser.add_argument("--engine", choices=ENGINES, default=ENGINES[0], help="the engine of the stack")
    parser.add_argument("--llm", metavar="URL", help="a model that reads along, or scripted")
    parser.add_argument("--life", type=int, metavar="TURNS", help="a scripted life of one user instead of labels")
    parser.add_argument("--faults", action="store_true", help="print each fault")
    return parser


if __name__ == "__main__":
    sys.exit(main())
