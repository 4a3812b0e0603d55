"""Folders for servers of the tests' own."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def folder() -> Iterator[Path]:
    """Give a folder that the account of the servers can pass through, which pytest's own are not."""
    with tempfile.TemporaryDirectory(prefix="mneme-stack-", ignore_cleanup_errors=True) as made:
        path = Path(made).resolve()
        path.chmod(0o711)
        yield path
