"""Settings that would fail later are refused at the start, by name."""

import os
import subprocess
import sys

import pytest

from memory_site.stack.guardian import CHECKOUT


def started(**settings: str) -> subprocess.CompletedProcess[str]:
    """Load the settings in a process of their own."""
    return subprocess.run(
        [sys.executable, "-c", "import memory_site.settings"],
        cwd=CHECKOUT,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("days", ["-1", "0", "3", "366"])
def test_a_credential_must_outlive_its_renewal(days: str) -> None:
    ended = started(ENGINE_CREDENTIAL_DAYS=days)
    assert ended.returncode
    assert "ENGINE_CREDENTIAL_DAYS: must be 4 to 365" in ended.stderr
    assert started(ENGINE_CREDENTIAL_DAYS="4").returncode == 0
