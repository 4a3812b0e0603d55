"""Whom the servers run as, and where their data goes when that account cannot reach the checkout."""

import logging
import os
from pathlib import Path

import pytest

from memory_site.stack import account
from memory_site.stack.account import Account, home_for, reachable, service_account
from memory_site.stack.postgres import Postgres

STRANGER = Account(name="stranger", uid=12345, gid=12345)
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root changes to another account")


def test_a_folder_is_reachable_if_every_folder_above_it_is(folder: Path) -> None:
    inner = folder / "closed" / "inner"
    inner.mkdir(parents=True)
    inner.chmod(0o755)
    inner.parent.chmod(0o755)
    assert reachable(inner, STRANGER)
    inner.parent.chmod(0o700)
    assert not reachable(inner, STRANGER)
    assert reachable(inner, None)
    owner = inner.stat()
    assert reachable(inner, Account(name="me", uid=owner.st_uid, gid=owner.st_gid))


@as_root
def test_as_root_the_account_is_a_real_one_without_rights() -> None:
    found = service_account()
    assert found is not None
    assert found.uid != 0


@as_root
def test_data_that_could_not_be_reached_goes_elsewhere_and_works_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(account, "FALLBACK", folder / "elsewhere")
    closed = folder / "closed"
    closed.mkdir(mode=0o700)
    root = closed / "postgres"
    with caplog.at_level(logging.INFO):
        home = home_for(root, service_account())
    assert home.parent.parent == folder / "elsewhere"
    assert f"its data is in {home}" in caplog.text
    assert (root / "elsewhere").read_text().strip() == str(home.parent)

    server = Postgres(root)
    server.start()
    assert (home / "data" / "PG_VERSION").exists()
    assert not (root / "data").exists()
    server.remove()
    assert not home.parent.exists()
    assert not root.exists()
