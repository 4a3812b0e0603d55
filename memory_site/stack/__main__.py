"""The local stack: `python -m memory_site.stack run`, `… manage` and `… elasticsearch`; make calls them."""

import argparse
import logging
import sys
import traceback
from pathlib import Path
from types import TracebackType

from memory_site.stack import engine
from memory_site.stack.errors import StackFailed
from memory_site.stack.guardian import CHECKOUT
from memory_site.stack.manage import manage
from memory_site.stack.run import listen_to_signals, run, show

ROOT = CHECKOUT / "var"
STOPPED = 130


def main() -> int:
    """Run a command; whatever goes wrong is said in one sentence."""
    sys.excepthook = _say_unforeseen
    _log_to_terminal()
    options = _parser().parse_args()
    listen_to_signals(options.with_parent)
    try:
        if options.command == "run":
            run(ROOT, search=options.search, once=options.once)
            return 0
        if options.command == "manage":
            manage(ROOT, options.arguments)
        return engine.act(options.action, options.arguments)
    except StackFailed as failed:
        print(f"mneme: {_with_short_paths(str(failed))}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped.")
        return STOPPED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m memory_site.stack", description=__doc__)
    parser.add_argument("--with-parent", type=int, metavar="PID", help="stop when this parent has ended")
    commands = parser.add_subparsers(dest="command", required=True)
    started = commands.add_parser("run", help="start everything and replay the samples")
    started.add_argument("--once", action="store_true", help="stop after the replay")
    started.add_argument("--search", choices=("postgres", "elasticsearch"), default="postgres")
    managed = commands.add_parser("manage", help="a management command against what `run` has started")
    managed.add_argument("arguments", nargs=argparse.REMAINDER, help="what manage.py gets, such as: issue_key acme")
    searched = commands.add_parser("elasticsearch", help="a local Elasticsearch alone")
    searched.add_argument("action", choices=tuple(engine.ACTIONS))
    searched.add_argument("arguments", nargs=argparse.REMAINDER, help="what exec gives to Python")
    return parser


class _Sentence(logging.Formatter):
    """A log record as a person in the checkout would read it."""

    def format(self, record: logging.LogRecord) -> str:
        """Leave out the checkout's own path."""
        return _with_short_paths(super().format(record))


def _log_to_terminal() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(_Sentence("%(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    logging.getLogger("memory_site.stack").setLevel(logging.INFO)


def _with_short_paths(sentence: str) -> str:
    return sentence.replace(f"{CHECKOUT}/", "")


def _say_unforeseen(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    log: Path = ROOT / "log" / "stack.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a", encoding="utf-8") as file:
        traceback.print_exception(kind, error, trace, file=file)
    print(f"mneme: ended over something unforeseen ({kind.__name__}: {error}): see {show(log)}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
