"""Private files and the lock of a folder."""

import subprocess
import sys
from pathlib import Path

import pytest

from memory_site.stack.environment import keep_secrets
from memory_site.stack.errors import StackFailed
from memory_site.stack.files import Lock, password_in, read_json, write_private
from memory_site.stack.guardian import CHECKOUT

HOLD = """
import sys
from pathlib import Path
from memory_site.stack.files import Lock
Lock(Path(sys.argv[1]), refusal="in use")
"""


def test_a_private_file_is_for_its_owner_only_also_when_it_replaces_an_open_one(tmp_path: Path) -> None:
    path = tmp_path / "new" / "secrets"
    write_private(path, "one")
    path.chmod(0o644)
    write_private(path, "two")
    assert path.read_text() == "two"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["secrets"]


def test_what_is_no_json_object_counts_as_nothing(tmp_path: Path) -> None:
    for text in ("", "{", "[1]", "7"):
        (tmp_path / "file").write_text(text)
        assert read_json(tmp_path / "file") == {}
    assert read_json(tmp_path / "none") == {}


def test_a_password_is_made_once(tmp_path: Path) -> None:
    first = password_in(tmp_path / "password")
    assert password_in(tmp_path / "password") == first
    assert password_in(tmp_path / "another") != first


def test_secrets_are_kept_and_what_is_missing_is_added(tmp_path: Path) -> None:
    path = tmp_path / "secrets.json"
    write_private(path, '{"secret_key": "kept"}')
    first = keep_secrets(path)
    assert first.secret_key == "kept"
    assert len({first.engine_keys, *first.logins.values()}) == 4
    assert keep_secrets(path) == first
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_locked_folder_is_refused_to_another_process_until_it_is_released(tmp_path: Path) -> None:
    lock = Lock(tmp_path, refusal="in use")
    with pytest.raises(StackFailed, match="in use"):
        Lock(tmp_path, refusal="in use")
    hold = [sys.executable, "-c", HOLD, str(tmp_path)]
    assert b"StackFailed: in use" in subprocess.run(hold, cwd=CHECKOUT, capture_output=True).stderr
    lock.release()
    assert subprocess.run(hold, cwd=CHECKOUT, capture_output=True).returncode == 0
