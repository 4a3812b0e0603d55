"""The commands of docs/operations.md, run as they are written there, each under its login."""

import os
import subprocess
import sys

from memory_site.stack.guardian import CHECKOUT
from tests.plugin import database_url


def manage(*arguments: str, login: str) -> subprocess.CompletedProcess[str]:
    """Run manage.py under a login."""
    environment = {key: value for key, value in os.environ.items() if key != "SEARCH_URL"}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=CHECKOUT,
        env={**environment, "DATABASE_URL": database_url(login)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_owner_migrates_and_sets_search_up(django_db_setup: None) -> None:
    for command in ("migrate", "setup_search"):
        ended = manage(command, login="mneme_owner")
        assert ended.returncode == 0, ended.stderr


def test_the_owner_is_still_refused_where_somebody_is_served(django_db_setup: None) -> None:
    checked = manage("check", "--database", "default", login="mneme_owner")
    assert checked.returncode
    assert "tenants.E001" in checked.stderr
    assert manage("check", "--database", "default", login="mneme_web").returncode == 0
