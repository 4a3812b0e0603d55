"""The account that Postgres and Elasticsearch run as, since both refuse to run as root."""

import hashlib
import logging
import os
import pwd
import shutil
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

from memory_site.stack.errors import StackFailed

logger = logging.getLogger(__name__)

EXISTING = ("postgres", "mneme", "_postgres")
FALLBACK = Path("/var/lib/mneme")
"""Where data goes that the account could not reach in the checkout, such as one below /root."""

CREATE = (
    ("useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", "mneme"),
    ("adduser", "-S", "-D", "-H", "mneme"),  # BusyBox
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A system user without special rights."""

    name: str
    uid: int
    gid: int


def service_account() -> Account | None:
    """Return the account to change to, creating it if need be; None when this process is not root."""
    if os.geteuid() != 0:
        return None
    found = _existing()
    for command in CREATE:
        if found is None and shutil.which(command[0]):
            subprocess.run(command, check=False, capture_output=True)
            found = _existing()
    if found is None:
        raise StackFailed(
            "Postgres cannot run as root and no system user could be created: run make as an ordinary user, "
            "or create one named mneme"
        )
    return found


def reachable(path: Path, account: Account | None) -> bool:
    """Tell whether the account may pass through every existing folder of the path."""
    if account is None:
        return True
    return all(_may_pass(folder.stat(), account) for folder in (path, *path.parents) if folder.exists())


def home_for(root: Path, account: Account | None) -> Path:
    """Return the folder for a service's data: root itself or, where the account cannot get there, a fallback."""
    root.mkdir(parents=True, exist_ok=True)
    if account is None:
        return root
    root.chmod(0o711)
    if reachable(root, account):
        return root
    digest = hashlib.sha256(str(root).encode()).hexdigest()[:12]
    home = FALLBACK / digest / root.name
    if not home.exists():
        logger.info("%s cannot reach %s, so its data is in %s", account.name, root, home)
    home.mkdir(parents=True, exist_ok=True)
    for folder in (FALLBACK, home.parent, home):
        folder.chmod(0o711)
    (root / "elsewhere").write_text(f"{home.parent}\n", encoding="utf-8")  # make clean removes that as well
    return home


def give(path: Path, account: Account | None) -> None:
    """Hand a file, or a folder with all it holds, to the account."""
    if account is None:
        return
    os.chown(path, account.uid, account.gid, follow_symlinks=False)
    if path.is_dir() and not path.is_symlink():
        for inner in path.iterdir():
            give(inner, account)


def _existing() -> Account | None:
    for name in EXISTING:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(name=name, uid=entry.pw_uid, gid=entry.pw_gid)
    return None


def _may_pass(folder: os.stat_result, account: Account) -> bool:
    if folder.st_uid == account.uid:
        return bool(folder.st_mode & stat.S_IXUSR)
    if folder.st_gid == account.gid:
        return bool(folder.st_mode & stat.S_IXGRP)
    return bool(folder.st_mode & stat.S_IXOTH)
