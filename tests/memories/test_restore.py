"""A restore from an older backup, really dumped: versions go on above the engine's, and nobody erased is back."""

import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from memories.models import Memory
from memories.services.after_restore import MARGIN
from memories.services.compare import differences
from memories.services.engine import search_engine
from memories.services.erase import erase, erase_step
from memory_site.stack.postgres import Postgres
from tenants.models import Subject
from tenants.services.open_scope import open_scope
from tests.conftest import Caller, login
from tests.embedding_server import EmbeddingServer
from tests.memories.indexes import fresh_indexes
from tests.memories.test_remote_embedder import server
from tests.plugin import DATABASE

__all__ = ["fresh_indexes", "server"]
pytestmark = pytest.mark.usefixtures("fresh_indexes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Backups:
    """Postgres' own programs for it."""

    server: Postgres
    file: Path

    def take(self) -> None:
        """Dump the database."""
        self._run("pg_dump", "-Fc", "-f", str(self.file), DATABASE)

    def restore(self) -> None:
        """Drop the database, and make it as it was."""
        connection.close()
        with psycopg.connect(self.server.address, autocommit=True) as superuser:
            superuser.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [DATABASE])
        self._run("pg_restore", "--clean", "--create", "--exit-on-error", "-d", "postgres", str(self.file))

    def _run(self, name: str, *arguments: str) -> None:
        at = urlsplit(self.server.address)
        place = ["-h", at.hostname or "", "-p", str(at.port), "-U", at.username or ""]
        subprocess.run(
            [self.server.cluster.binaries / name, *place, *arguments],
            env={"PGPASSWORD": at.password or ""},
            check=True,
        )


@pytest.fixture
def backups(postgres_server: Postgres, tmp_path: Path) -> Iterator[Backups]:
    """Return the way to take and restore one; the ledger of erasures is the test's own."""
    before = settings.ERASURES_FILE
    settings.ERASURES_FILE = str(tmp_path / "erasures.jsonl")
    yield Backups(server=postgres_server, file=tmp_path / "backup")
    settings.ERASURES_FILE = before


def after_restore() -> str:
    out = StringIO()
    with login("mneme_worker"):
        call_command("after_restore", stdout=out)
    return out.getvalue()


def live_on(acme: Caller, drain: Callable[[], None], changed: str) -> None:
    """Change a row again and again, add another, and erase a person."""
    for name in ("x", "y", "z"):
        with login("mneme_owner"):
            Memory.objects.filter(id=changed).update(agent_id=name)
        drain()
    acme.turn("the stoat is called Fern", user_id="ada", session_id="c")
    drain()
    erase_whole(acme, "bob", drain)


def erase_whole(caller: Caller, user_id: str, drain: Callable[[], None]) -> None:
    with open_scope(caller.system):
        subject = Subject.objects.get(external_id=user_id)
    with login("mneme_worker"):
        job = erase(caller.system, subject.id, now=timezone.now())
        while job.state != "done":
            job = erase_step(job.id, engine=search_engine(), now=timezone.now())
            drain()


def test_after_a_restore_both_stores_agree_and_the_erased_stay_erased(
    acme: Caller, drain: Callable[[], None], backups: Backups
) -> None:
    kept = acme.turn("the otter is called Bramble", user_id="ada")["memory_id"]
    changed = acme.turn("the heron is called Ash", user_id="ada", session_id="b")["memory_id"]
    acme.turn("the badger is called Quill", user_id="bob")
    drain()
    backups.take()
    live_on(acme, drain, changed)
    backups.restore()
    with open_scope(acme.system):
        assert Memory.objects.filter(subject__external_id="bob").exists()  # so far he is back
    assert "1 of the ledger's 1 erasures" in after_restore()
    assert acme.recall("badger", user_id="bob")["results"] == []
    assert acme.client.get("/api/v1/sync/").json()["pending"] == 0
    with login("mneme_worker"):
        engine = search_engine()
        assert differences(acme.key.tenant_id, "episodic", engine=engine) == []
        assert len(list(engine.scan(acme.key.tenant_id, "episodic"))) == 2
    with open_scope(acme.system):
        assert not Subject.objects.filter(external_id="bob").exists()
        assert min(Memory.objects.values_list("doc_version", flat=True)) > MARGIN
        assert set(Memory.objects.values_list("agent_id", flat=True)) == {None}  # as the backup has it
    found = {hit["memory_id"] for hit in acme.recall("otter heron stoat", user_id="ada", overlay=False)["results"]}
    assert found == {kept, changed}
    # And what is written now gets through, whatever the engine saw before.
    acme.turn("the marten is called Sorrel", user_id="ada", session_id="d")
    drain()
    assert "Sorrel" in acme.recall("marten", user_id="ada", overlay=False)["results"][0]["text"]
    assert "0 of the ledger's 1 erasures" in after_restore()


def test_without_the_ledger_it_stops_and_says_why(acme: Caller, tmp_path: Path) -> None:
    missing = tmp_path / "nowhere.jsonl"
    with login("mneme_worker"):
        with pytest.raises(CommandError, match="--no-erasures"):
            call_command("after_restore", "--erasures", str(missing))
        missing.write_text('{"subject_id": "cut o', encoding="ascii")
        call_command("after_restore", "--erasures", str(missing), stdout=StringIO())


def test_what_the_embedder_does_not_take_yet_is_waited_for_and_said(
    acme: Caller, server: EmbeddingServer, drain: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memories.management.commands.after_restore.ROUNDS", 2)
    acme.turn("the otter is called Bramble")
    server.status = 503
    with login("mneme_worker"), pytest.raises(CommandError, match="1 documents are not in the engine yet"):
        call_command("after_restore", "--no-erasures", stdout=StringIO())
