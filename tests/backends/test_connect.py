"""From a URL to an engine, and what an engine that is away says."""

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from uuid import uuid4

import psycopg
import pytest

from backends.errors import BackendError, Refused, Rejected, Unavailable
from backends.search import names
from backends.search.base import Query, SearchEngine
from backends.search.connect import connect
from backends.search.elasticsearch.client import failure
from backends.search.postgres import connection as postgres_connection
from backends.search.reach import Credential, Reach
from tests.backends.made import change

NOBODY = "127.0.0.1:1"
REACH = Reach(tenant_id=uuid4(), subject_id=None, kinds=(names.EPISODIC,))
KEY = Credential(id=str(uuid4()), secret="c2VjcmV0", expires_at=datetime(2030, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("url", "name"),
    [
        (f"postgresql://user:word@{NOBODY}/none", "postgres"),
        (f"postgres://user:word@{NOBODY}/none", "postgres"),
        (f"http://user:word@{NOBODY}", "elasticsearch"),
        (f"https://user:word@{NOBODY}", "elasticsearch"),
    ],
)
def test_a_url_names_its_engine(url: str, name: str) -> None:
    assert connect(url).name == name
    assert connect(url) is connect(url)


@pytest.mark.parametrize("url", ["", "mysql://127.0.0.1/x", "127.0.0.1:9200", "file:///etc/passwd"])
def test_another_url_is_refused_by_the_name_of_its_setting(url: str) -> None:
    with pytest.raises(ValueError, match="SEARCH_URL"):
        connect(url)


@pytest.mark.parametrize("url", [f"postgresql://user:word@{NOBODY}/none", f"http://user:word@{NOBODY}"])
def test_an_engine_that_is_away_is_unavailable_and_tells_no_secret(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_connection, "POOL_TIMEOUT_S", 0.3)
    engine = connect.__wrapped__(url)
    for call in calls(engine):
        with pytest.raises(Unavailable) as raised:
            call()
        assert "word" not in str(raised.value)
    getattr(engine, "close", lambda: None)()


def calls(engine: SearchEngine) -> list[Callable[[], object]]:
    """Return a call of every verb that asks the engine."""
    return [
        engine.ping,
        lambda: engine.apply([change(REACH, "badger")]),
        lambda: engine.versions(REACH.tenant_id, names.EPISODIC, [uuid4()]),
        lambda: engine.search(Query(reach=REACH, text="badger", vector=None), using=KEY),
        lambda: engine.count(REACH),
        lambda: engine.grant(REACH, name="x", expires_at=KEY.expires_at),
        lambda: engine.reach_of(KEY.id),
        lambda: engine.revoke([KEY.id]),
    ]


def test_elasticsearchs_library_is_loaded_only_by_who_uses_it() -> None:
    script = (
        "import sys\n"
        "from backends.search.connect import connect\n"
        f"connect('postgresql://user:word@{NOBODY}/none')\n"
        "assert 'elasticsearch' not in sys.modules\n"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@pytest.mark.parametrize(
    ("status", "kind", "reason", "expected", "says"),
    [
        (401, "security_exception", "", Refused, "refused"),
        (403, "security_exception", "action is unauthorized", Refused, "refused"),
        (403, "security_exception", "current license is non-compliant for [x]", Refused, "licence"),
        (429, "es_rejected_execution_exception", "", Unavailable, "429"),
        (503, "unavailable_shards_exception", "", Unavailable, "503"),
        (404, "index_not_found_exception", "", Unavailable, "setup_search"),
        (400, "parsing_exception", "a text of a document", Rejected, "parsing_exception"),
    ],
)
def test_elasticsearchs_errors_become_the_backends_three(
    status: int, kind: str, reason: str, expected: type[BackendError], says: str
) -> None:
    error = failure(status, kind, reason)
    assert type(error) is expected
    assert says in str(error)
    assert "document" not in str(error).replace("document-level", "")


def test_a_process_keeps_no_more_connections_than_it_is_told(superuser_dsn: str) -> None:
    for size in (0, 2):
        engine = connect(superuser_dsn, pool_size=size)

        def ask(_: int, engine: SearchEngine = engine) -> None:
            with pytest.raises(BackendError):
                engine.reach_of(str(uuid4()))  # a database without the engine's tables

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(ask, range(40)))
        with psycopg.connect(superuser_dsn) as superuser:
            held = superuser.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%engine.reach%' AND pid <> pg_backend_pid()"
            ).fetchone()
        assert held is not None
        assert held[0] <= size
        getattr(engine, "close")()  # noqa: B009 - only this engine has it
