"""A management command against the stack that runs: `python -m memory_site.stack manage issue_key acme`."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from memory_site.stack.guardian import CHECKOUT
from memory_site.stack.stack import Stack

OWNERS = frozenset({"migrate", "setup_search"})
"""What the owner of the tables does; everything else is the worker's."""


def login_for(arguments: Sequence[str]) -> str:
    """Return the login of Postgres under which a command belongs."""
    return "mneme_owner" if OWNERS & {*arguments[:1]} else "mneme_worker"


def manage(root: Path, arguments: Sequence[str]) -> NoReturn:
    """Become manage.py, with the addresses and secrets of the stack that runs in root.

    Raises StackFailed, when none runs there.
    """
    environment = Stack.running(root).environment_of(login_for(arguments))
    os.chdir(CHECKOUT)
    sys.stdout.flush()
    os.execve(sys.executable, [sys.executable, "manage.py", *(arguments or ["help"])], dict(environment))  # noqa: S606 - no shell wanted
