"""Small files that only their owner may read and that are never seen half written."""

import fcntl
import json
import os
import secrets
from pathlib import Path
from typing import IO, Any

from memory_site.stack.errors import StackFailed


def write_private(path: Path, text: str) -> None:
    """Write a file with mode 0600, replacing it in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def append_private(path: Path) -> IO[bytes]:
    """Open a file for appending with mode 0600, also if an earlier version of us made it readable to others."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.fchmod(descriptor, 0o600)
    return os.fdopen(descriptor, "ab")


def private_folder(path: Path) -> Path:
    """Make a folder that nobody else may enter; return it."""
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o700)
    return path


def read_json(path: Path) -> dict[str, Any]:
    """Return the object in a file; an empty one if there is no such file or it is no JSON object."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
    return found if isinstance(found, dict) else {}


def password_in(path: Path) -> str:
    """Return the password kept in a file, made by chance the first time."""
    if not path.exists():
        write_private(path, secrets.token_urlsafe(24))
    return path.read_text(encoding="utf-8")


class Lock:
    """The right to use a folder, held by one process; the kernel gives it back however that process ends.

    The file `lock` in the folder holds that process' pid, for people and scripts.
    """

    def __init__(self, folder: Path, *, refusal: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pid = os.read(self._descriptor, 20).decode().strip()
            os.close(self._descriptor)
            raise StackFailed(f"{refusal} (its pid is {pid})" if pid else refusal) from None
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, f"{os.getpid()}\n".encode())

    def release(self) -> None:
        """Give the folder free."""
        os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)

    @staticmethod
    def is_held(folder: Path) -> bool:
        """Tell whether another process has the right to a folder now."""
        try:
            descriptor = os.open(folder / "lock", os.O_RDONLY)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False
