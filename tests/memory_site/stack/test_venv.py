"""The script that runs before anything is installed: which Python it takes, and what it says if there is none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memory_site.stack import venv
from memory_site.stack.guardian import CHECKOUT
from memory_site.stack.venv import CannotInstall, find_python, megabytes

SCRIPT = CHECKOUT / "memory_site" / "stack" / "venv.py"


def pythons(folder: Path, monkeypatch: pytest.MonkeyPatch, **answers: str) -> None:
    """Put programs on PATH, alone, that answer the script's question so; an empty answer is a broken shim."""
    for name, answer in answers.items():
        program = folder / name.replace("_", ".")
        program.write_text(f"#!/bin/sh\n{f'echo {answer}' if answer else 'exit 127'}\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def test_the_first_that_is_new_enough_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pythons(tmp_path, monkeypatch, python3="3 9 1", python3_13="", python3_12="3 12 1", python3_11="3 11 1")
    assert find_python(None) == "python3.12"


def test_one_without_venv_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pythons(tmp_path, monkeypatch, python3="3 12 0", python3_11="3 11 1")
    assert find_python(None) == "python3.11"


def test_only_old_ones_are_named_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pythons(tmp_path, monkeypatch, python3="3 9 1")
    with pytest.raises(CannotInstall, match=r"Python 3\.11 or later is needed \(python3 is 3\.9\).*make PYTHON="):
        find_python(None)


def test_no_python_at_all_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pythons(tmp_path, monkeypatch)
    with pytest.raises(CannotInstall, match="none can be run"):
        find_python(None)


def test_a_missing_venv_module_is_said_with_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pythons(tmp_path, monkeypatch, python3="3 12 0")
    with pytest.raises(CannotInstall, match=r"python3 cannot make environments.*apt install python3\.12-venv"):
        find_python(None)


def test_the_named_one_is_taken_or_refused_never_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pythons(tmp_path, monkeypatch, python3="3 12 1", old="3 8 1")
    assert find_python(sys.executable) == sys.executable
    with pytest.raises(CannotInstall, match=r"old is 3\.8"):
        find_python("old")


def test_the_script_ends_with_one_sentence_and_no_traceback(tmp_path: Path) -> None:
    copy = tmp_path / "memory_site" / "stack" / "venv.py"
    copy.parent.mkdir(parents=True)
    shutil.copy(SCRIPT, copy)
    ended = subprocess.run(
        [sys.executable, "-I", copy, "run", "--", "-c", "0"],
        env={**os.environ, "PYTHON": "/no/such/python"},
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("mneme: Python 3.11 or later is needed")
    assert ended.stderr.count("\n") == 1


def test_an_environment_that_is_there_is_used_without_installing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text("")
    monkeypatch.setattr(venv, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(venv, "LOG", tmp_path / "log" / "install.log")
    monkeypatch.setattr(venv, "CHECKOUT", tmp_path)
    venv._make(sys.executable)
    stamp = tmp_path / ".venv" / "stamp"
    venv._install(lock, stamp)
    installs = (tmp_path / "log" / "install.log").stat().st_size
    venv._install(lock, stamp)
    assert (tmp_path / "log" / "install.log").stat().st_size == installs
    lock.write_text("this is no requirement\n")
    with pytest.raises(CannotInstall, match=r"pip failed: .* see log/install\.log for the reason"):
        venv._install(lock, stamp)
    assert "Invalid requirement" in (tmp_path / "log" / "install.log").read_text()


def test_downloads_are_added_up() -> None:
    sizes = ("Downloading a-1.whl (13.6 MB)", "Downloading b.whl.metadata (500 bytes)", "Downloading c.whl (250 kB)")
    log = "\n  ".join([*sizes, "Using cached d.whl (9 MB)"])
    assert megabytes(log) == pytest.approx(13.8505)
