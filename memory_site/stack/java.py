"""Finding a Java that runs Elasticsearch, and Maven that fetches it."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from memory_site.stack.errors import StackFailed

OLDEST = 21
PLACES = (
    "/usr/lib/jvm/*",
    "/opt/java/*",
    "/opt/jdk*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
    "/opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home",
    "/usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home",
)


def find_java() -> Path:
    """Return the home of a Java that is new enough: JAVA_HOME's, PATH's, else the oldest that will do.

    Raises StackFailed, when there is none.
    """
    for home in _named():
        if java_version(home) >= OLDEST:
            return home
    found = [(version, home) for home in _installed() if (version := java_version(home)) >= OLDEST]
    if not found:
        raise StackFailed(
            f"Elasticsearch needs Java {OLDEST} or later, which was not found: install it "
            "(Debian: apt install openjdk-21-jre-headless, macOS: brew install openjdk@21) or point JAVA_HOME to it"
        )
    return min(found)[1]


def find_maven() -> str:
    """Return Maven's command.

    Raises StackFailed, when it is not installed.
    """
    command = shutil.which("mvn")
    if command is None:
        raise StackFailed(
            "Elasticsearch is fetched by Maven, which was not found: install it "
            "(Debian: apt install maven, macOS: brew install maven)"
        )
    return command


def java_version(home: Path) -> int:
    """Return the major version that a Java states in its release file; 0 if it states none or cannot run."""
    release = home / "release"
    if not os.access(home / "bin" / "java", os.X_OK) or not release.exists():
        return 0
    stated = re.search(r'JAVA_VERSION="(?:1\.)?(\d+)', release.read_text(encoding="utf-8"))
    return int(stated[1]) if stated else 0


def _named() -> Iterator[Path]:
    if named := os.environ.get("JAVA_HOME"):
        yield Path(named)
    if on_path := shutil.which("java"):
        yield Path(on_path).resolve().parents[1]


def _installed() -> Iterator[Path]:
    for pattern in PLACES:
        yield from Path("/").glob(pattern.removeprefix("/"))
