"""The real Postgres of the wheel: access, locale, durability, crashes."""

import os
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from memory_site.stack.errors import StackFailed
from memory_site.stack.postgres import Postgres


@pytest.fixture
def postgres(folder: Path) -> Iterator[Postgres]:
    server = Postgres(folder)
    server.start()
    yield server
    server.stop()


def ask(dsn: str, question: str) -> str:
    with psycopg.connect(dsn, autocommit=True) as connection:
        row = connection.execute(question).fetchone()
    assert row is not None
    return str(row[0])


def test_it_is_durable_listens_on_loopback_only_and_knows_chinese_letters(postgres: Postgres) -> None:
    assert ask(postgres.address, "SHOW fsync") == "on"
    assert ask(postgres.address, "SHOW synchronous_commit") == "on"
    assert ask(postgres.address, "SHOW server_encoding") == "UTF8"
    assert ask(postgres.address, "SELECT '记' ~ '[[:alpha:]]'") == "True"
    assert ask(postgres.address, "SELECT datctype FROM pg_database WHERE datname = 'postgres'") == "C.UTF-8"
    assert postgres.process is not None
    listening = [
        connection.laddr.ip
        for connection in psutil.Process(postgres.process.pid).net_connections("all")
        if connection.status == psutil.CONN_LISTEN or connection.family.name == "AF_UNIX"
    ]
    assert listening == ["127.0.0.1"]


def test_it_does_not_run_as_root(postgres: Postgres) -> None:
    assert postgres.process is not None
    assert psutil.Process(postgres.process.pid).uids().effective != 0


def test_it_wants_the_password(postgres: Postgres) -> None:
    for wrong in ("postgres", ""):
        with pytest.raises(psycopg.OperationalError, match=r"password|fe_sendauth"):
            psycopg.connect(f"postgresql://postgres:{wrong}@127.0.0.1:{postgres.port}/postgres").close()
    kept = postgres.root / "password"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert len(kept.read_text()) >= 32


def test_what_was_committed_is_there_after_kill_9_even_if_its_pid_is_somebody_elses_now(
    postgres: Postgres,
) -> None:
    with psycopg.connect(postgres.address, autocommit=True) as connection:
        connection.execute("CREATE TABLE kept (number int)")
        connection.execute("INSERT INTO kept VALUES (7)")
        pids = [process.pid for process in psutil.process_iter() if postgres_works_in(process, postgres)]
        assert len(pids) > 3
        postgres.kill()
    assert not any(psutil.pid_exists(pid) and is_alive(pid) for pid in pids)
    pid_file = postgres.cluster.data / "postmaster.pid"
    lines = pid_file.read_text().splitlines(keepends=True)
    pid_file.write_text("".join([f"{os.getpid()}\n", *lines[1:]]))

    postgres.start()

    assert ask(postgres.address, "SELECT number FROM kept") == "7"


def test_a_start_that_runs_already_changes_nothing_and_the_port_is_remembered(
    postgres: Postgres, folder: Path
) -> None:
    before = postgres.process
    assert postgres.start() == postgres.address
    assert postgres.process is before
    port = postgres.port
    postgres.stop()

    again = Postgres(folder)
    again.start()

    assert again.port == port
    again.stop()


def test_a_folder_in_use_is_refused_in_one_sentence(postgres: Postgres, folder: Path) -> None:
    with pytest.raises(StackFailed, match="in use by another process"):
        Postgres(folder).start()
    assert ask(postgres.address, "SELECT 1") == "1"


def test_data_of_another_version_is_refused_with_what_to_do(postgres: Postgres) -> None:
    postgres.stop()
    (postgres.cluster.data / "PG_VERSION").write_text("16\n")
    with pytest.raises(StackFailed, match=r"made by Postgres 16 but Postgres 18 .* remove"):
        postgres.start()


def test_settings_can_be_changed_for_data_that_is_thrown_away(folder: Path) -> None:
    server = Postgres(folder, settings={"fsync": "off"})
    try:
        assert ask(server.start(), "SHOW fsync") == "off"
    finally:
        server.remove()
    assert not folder.exists()


def postgres_works_in(process: psutil.Process, server: Postgres) -> bool:
    try:
        return process.cwd() == str(server.cluster.data)
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return False


def is_alive(pid: int) -> bool:
    return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
