"""A management command against the stack that runs: `python -m memory_site.stack manage issue_key acme`."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from memory_site.stack.guardian import CHECKOUT
from memory_site.stack.stack import Stack

OWNERS = frozenset({"migrate", "setup_search"})
"""What the owner of the tables does; nearly everything else is the worker's."""
CALLERS = frozenset({"attack_isolation"})
"""What looks at the walls from where callers' requests are answered."""


def login_for(arguments: Sequence[str]) -> str:
    """Return the login of Postgres under which a command belongs."""
    command = {*arguments[:1]}
    if OWNERS & command:
        return "mneme_owner"
    return "mneme_web" if CALLERS & command else "mneme_worker"


def manage(root: Path, arguments: Sequence[str]) -> NoReturn:
    """Become manage.py, with the addresses and secrets of the stack that runs in root.

    Raises StackFailed, when none runs there.
    """
    environment = Stack.running(root).environment_of(login_for(arguments))
    os.chdir(CHECKOUT)
    sys.stdout.flush()
    os.execve(sys.executable, [sys.executable, "manage.py", *(arguments or ["help"])], dict(environment))  # noqa: S606 - no shell wanted
