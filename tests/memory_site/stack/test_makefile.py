"""The Makefile explains itself, and the hooks call it."""

import re
import subprocess

from memory_site.stack.guardian import CHECKOUT

TARGET = re.compile(r"^([a-z][a-z-]*):", re.MULTILINE)


def targets() -> set[str]:
    return set(TARGET.findall((CHECKOUT / "Makefile").read_text(encoding="utf-8")))


def test_help_is_what_make_alone_shows_and_lists_every_target() -> None:
    shown = subprocess.run(["make"], cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"^  make ([a-z-]+) +\S", shown, re.MULTILINE)) == targets()


def test_no_target_is_mistaken_for_a_file() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", (CHECKOUT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert phony is not None
    assert set(phony[1].split()) == targets()


def test_hooks_and_ci_run_targets_that_exist() -> None:
    for path in (".pre-commit-config.yaml", ".ci/run"):
        called = re.findall(r"\bmake ([a-z][a-z-]*)", (CHECKOUT / path).read_text(encoding="utf-8"))
        assert called, path
        assert set(called) <= targets(), path
