"""Makes .venv with what a lock file names, then becomes the command after `--` run by it.

    python3 -I memory_site/stack/venv.py run|dev -- -m memory_site.stack run

It runs under the system's Python, before anything is installed: standard library only, nothing of this package.
It must load on old versions too, to say that they are too old: annotations they cannot evaluate are quoted.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

OLDEST = (3, 11)
NAMES = ("python3", "python3.13", "python3.12", "python3.11")
LOCKS = {"run": "requirements.lock", "dev": "requirements-dev.lock"}
MODELS = "requirements-models.lock"

CHECKOUT = Path(__file__).resolve().parents[2]
VENV = CHECKOUT / ".venv"
LOG = CHECKOUT / "var" / "log" / "install.log"

PROBE = (
    "import importlib.util as u, sys; print(*sys.version_info[:2], int(all(map(u.find_spec, ('venv', 'ensurepip')))))"
)
MODULE = (
    "import os, runpy, sys, threading\n"
    "threading.Thread(target=lambda: (sys.stdin.read(), os._exit(1)), daemon=True).start()\n"
    "sys.argv = sys.argv[1:]\n"
    "runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=True)\n"
)
"""Runs a module that ends when its standard input does: so pip never outlives this script, however that ends."""


class CannotInstall(Exception):
    """The packages cannot be installed. The message is one sentence for a person."""


def main() -> None:
    """Install what the profile needs, then become the command."""
    profile, separator, *command = sys.argv[1:]
    if profile not in LOCKS or separator != "--":
        raise CannotInstall("usage: venv.py run|dev -- ARGUMENTS OF PYTHON")
    python = VENV / "bin" / "python"
    if not _runs(python):
        _make(find_python(os.environ.get("PYTHON")))
    _install(CHECKOUT / LOCKS[profile], VENV / f"mneme-{profile}.sha256")
    _install(CHECKOUT / MODELS, VENV / "mneme-models.sha256", "--no-deps")
    os.chdir(CHECKOUT)
    os.execv(str(python), [str(python), *command])  # noqa: S606 - our own arguments, no shell wanted


def find_python(named: "str | None") -> str:
    """Return a Python that is new enough and can make environments: the named one, or one on PATH."""
    found = [(name, probe(name)) for name in ([named] if named else NAMES)]
    able = [name for name, (version, can_make) in found if version >= OLDEST and can_make]
    if able:
        return able[0]
    for name, (version, _) in found:
        if version >= OLDEST:
            raise CannotInstall(
                f"{name} cannot make environments: install its venv module "
                f"(Debian: apt install python{_dotted(version)}-venv)"
            )
    seen = ", ".join(f"{name} is {_dotted(version)}" for name, (version, _) in found if version > (0, 0))
    raise CannotInstall(
        f"Python {_dotted(OLDEST)} or later is needed ({seen or 'none can be run'}): install one, "
        "or name one by make PYTHON=/path/to/python3"
    )


def probe(name: str) -> "tuple[tuple[int, int], bool]":
    """Return a Python's version, and whether it has venv and ensurepip; (0, 0) if it cannot be run."""
    try:
        # Names on PATH may be shims of a version manager that only say that this version is not active.
        printed = subprocess.check_output([name, "-I", "-c", PROBE], stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return (0, 0), False
    major, minor, can_make = map(int, printed.split())
    return (major, minor), bool(can_make)


def _make(python: str) -> None:
    shutil.rmtree(str(VENV), ignore_errors=True)
    _note(f"Making .venv with {python} …")
    subprocess.check_call([python, "-I", "-m", "venv", "--without-pip", str(VENV)])
    _run_module("ensurepip", "--default-pip")


def _install(lock: Path, stamp: Path, *options: str) -> None:
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    began = time.monotonic()
    _note(f"Installing the packages of {lock.name}, a minute or so the first time …")
    start = LOG.stat().st_size if LOG.exists() else 0
    cache = [] if os.environ.get("PIP_CACHE_DIR") else ["--no-cache-dir"]  # nothing is written to HOME
    quiet = ("--require-hashes", "--no-input", "--progress-bar", "off")
    _run_module("pip", "install", *quiet, *cache, *options, "-r", str(lock))
    stamp.write_text(wanted)
    with LOG.open(encoding="utf-8", errors="replace") as log:
        log.seek(start)
        downloaded = megabytes(log.read())
    _note(f"Installed after {time.monotonic() - began:.0f} s, {downloaded:.0f} MB downloaded.")


def megabytes(log: str) -> float:
    """Return how much pip says that it downloaded."""
    units = {"bytes": 1e-6, "kB": 1e-3, "MB": 1.0, "GB": 1e3}
    sizes = re.findall(r"Downloading \S+ \(([\d.]+) (bytes|kB|MB|GB)\)", log)
    return sum(float(size) * units[unit] for size, unit in sizes)


def _run_module(module: str, *arguments: str) -> None:
    """Run a module by the environment's Python, with its output in the log; end it if our parent ends."""
    LOG.parent.mkdir(parents=True, exist_ok=True)
    parent = os.getppid()
    argv = [str(VENV / "bin" / "python"), "-c", MODULE, module, *arguments]
    with LOG.open("ab") as log, subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=log, stderr=log) as child:
        while child.poll() is None:
            if os.getppid() != parent:
                child.kill()
                sys.exit(1)
            time.sleep(0.1)
    if child.returncode:
        raise CannotInstall(
            f"{module} failed: check the network and the free space on the disk, then try again; "
            f"see {LOG.relative_to(CHECKOUT)} for the reason"
        )


def _dotted(version: "tuple[int, int]") -> str:
    return ".".join(map(str, version))


def _runs(python: Path) -> bool:
    version, _ = probe(str(python))
    return version >= OLDEST and (VENV / "bin" / "pip").exists()


def _note(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        main()
    except CannotInstall as reason:
        sys.exit(f"mneme: {reason}")
    except KeyboardInterrupt:
        sys.exit(130)
