"""Finding Java and Maven, or saying what to install."""

from pathlib import Path

import pytest

from memory_site.stack import java
from memory_site.stack.errors import StackFailed
from memory_site.stack.java import find_java, find_maven, java_version


def installed(home: Path, version: str) -> Path:
    """Lay a Java home out as its vendors do."""
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "java").touch(mode=0o755)
    (home / "release").write_text(f'IMPLEMENTOR="Somebody"\nJAVA_VERSION="{version}"\n')
    return home


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(java, "PLACES", (f"{tmp_path}/jvm/*",))


@pytest.mark.parametrize(
    ("stated", "major"), [("25.0.3", 25), ("21", 21), ("17.0.15", 17), ("1.8.0_402", 8), ("22-ea", 22)]
)
def test_the_version_is_read_as_vendors_write_it(tmp_path: Path, stated: str, major: int) -> None:
    assert java_version(installed(tmp_path / "home", stated)) == major


def test_the_oldest_that_will_do_is_taken(tmp_path: Path) -> None:
    for version in ("17.0.1", "25.0.3", "21.0.2"):
        installed(tmp_path / "jvm" / version, version)
    assert find_java() == tmp_path / "jvm" / "21.0.2"


def test_java_home_comes_first_unless_it_is_too_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path / "jvm" / "21", "21")
    named = installed(tmp_path / "named", "26.0.1")
    monkeypatch.setenv("JAVA_HOME", str(named))
    assert find_java() == named
    (named / "release").write_text('JAVA_VERSION="17.0.1"\n')
    assert find_java() == tmp_path / "jvm" / "21"


def test_without_java_or_maven_a_sentence_says_what_to_install(tmp_path: Path) -> None:
    installed(tmp_path / "jvm" / "17", "17.0.1")
    with pytest.raises(StackFailed, match=r"needs Java 21 or later.*apt install.*JAVA_HOME"):
        find_java()
    with pytest.raises(StackFailed, match=r"fetched by Maven, which was not found.*apt install maven"):
        find_maven()
