"""The contract on Postgres, and what only Postgres can show: the wall seen from SQL."""

import hashlib
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from uuid import UUID, uuid4

import psycopg
import pytest

from backends.errors import Refused, Unavailable
from backends.search import names
from backends.search.base import Candidate, SearchEngine, Where
from backends.search.filters import Filter
from backends.search.postgres import nearest, statements
from backends.search.postgres.connection import Connections
from backends.search.postgres.engine import PostgresEngine
from backends.search.postgres.filtering import FilterSQL
from backends.search.reach import Reach
from tests.backends.made import axis, change, made_up
from tests.backends.search_contract import SearchContract
from tests.plugin import database_url


class TestPostgres(SearchContract):
    """The embedded default."""

    @pytest.fixture
    def engine(self, django_db_setup: None) -> Iterator[PostgresEngine]:
        """Return the engine under the worker's login."""
        engine = PostgresEngine(database_url("mneme_worker"))
        yield engine
        engine.close()

    @pytest.fixture
    def attacked(self, engine: SearchEngine) -> Iterator[SearchEngine]:
        """Return the engine under the web's login, which faces the callers."""
        engine = PostgresEngine(database_url("mneme_web"))
        yield engine
        engine.close()

    def judged(self, engine: SearchEngine, mine: Reach, asked: Sequence[Filter]) -> list[set[UUID]]:
        """Ask the legs' own condition, under a token."""
        secret, found = self.grant(engine, mine).secret, []
        with psycopg.connect(database_url("mneme_web")) as connection:
            connection.execute(statements.BEGIN, (secret,))
            for one in asked:
                condition = FilterSQL(one)
                rows = connection.execute(
                    f"SELECT d.id FROM engine.document d WHERE {condition.sql}", condition.parameters
                )
                found.append({row[0] for row in rows})
        return found

    def as_reader(self, secret: str, statement: str) -> list[tuple[object, ...]]:
        """Run SQL as mneme_engine with a token, as somebody who holds it would."""
        with psycopg.connect(database_url("mneme_web")) as connection:
            connection.execute("SELECT set_config('role', 'mneme_engine', true)")
            connection.execute("SELECT set_config('app.engine_token', %s, true)", (secret,))
            return connection.execute(statement).fetchall()

    def test_plain_sql_without_a_where_sees_only_what_the_token_reaches(
        self, engine: SearchEngine, mine: Reach, theirs: Reach
    ) -> None:
        one, two = replace(mine, subject_id=uuid4()), replace(mine, subject_id=uuid4())
        doctor = replace(mine, compartments=("doctor",))
        documents = [change(reach, "badger") for reach in (mine, one, two, theirs, doctor)]
        self.put(engine, *documents)
        expected = {
            one: {documents[0].id, documents[1].id},
            mine: {documents[0].id, documents[1].id, documents[2].id},
            doctor: {documents[0].id, documents[1].id, documents[2].id, documents[4].id},
            theirs: {documents[3].id},
        }
        for reach, ids in expected.items():
            secret = self.grant(engine, reach).secret
            assert {row[0] for row in self.as_reader(secret, "SELECT id FROM engine.document")} == ids
            assert len(self.as_reader(secret, "SELECT 1 FROM engine.posting")) == len(ids)
            counted = self.as_reader(secret, "SELECT sum(documents) FROM engine.statistics")
            assert counted[0][0] == len(ids)

    def test_without_a_live_token_there_is_nothing(self, engine: SearchEngine, mine: Reach) -> None:
        self.put(engine, change(mine, "badger"))
        for secret in ("", "nobody"):
            for table in ("place", "document", "posting", "statistics"):
                assert self.as_reader(secret, f"SELECT 1 FROM engine.{table}") == []

    @pytest.mark.parametrize(
        "statement",
        [
            "SELECT * FROM engine.credential",
            "SELECT engine.grant_token(gen_random_uuid(), '', gen_random_uuid(), null, '{}', '{}', '{}', now())",
            "SELECT engine.revoke_tokens('{}')",
            "SELECT engine.reach(gen_random_uuid())",
            "DELETE FROM engine.document",
            "UPDATE engine.document SET author = 'x'",
            "INSERT INTO engine.statistics VALUES (1, 1, 1, 1)",
            "DELETE FROM engine.place",
            "INSERT INTO engine.posting VALUES (1, 1, 1, 1, 1, 1, 'badger')",
            "SET ROLE mneme_operator",
            "SELECT * FROM public.memories_memory",
        ],
    )
    def test_a_reader_can_do_nothing_else(self, engine: SearchEngine, mine: Reach, statement: str) -> None:
        secret = self.grant(engine, mine).secret
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            self.as_reader(secret, statement)

    def test_nobody_elses_writes_change_a_score(self, engine: SearchEngine, mine: Reach, theirs: Reach) -> None:
        one, two = replace(mine, subject_id=uuid4()), replace(mine, subject_id=uuid4())
        self.put(engine, change(one, "badger in the garden"), change(one, "an otter"))

        def scores() -> list[Candidate]:
            return sorted(self.find(engine, one, "badger", vector=axis(0)).values(), key=lambda c: c.id)

        before = scores()
        foreign = [change(reach, "badger " * 5, embedding=axis(0)) for reach in (theirs, two) for _ in range(200)]
        self.put(engine, *foreign)
        assert scores() == before

    def test_rare_terms_are_those_few_turns_of_the_reach_have(
        self, engine: SearchEngine, mine: Reach, theirs: Reach
    ) -> None:
        self.put(engine, *[change(theirs, "wombat") for _ in range(9)], change(mine, "wombat"))
        assert [found.rare_terms for found in self.find(engine, mine, "wombat").values()] == [("wombat",)]

    def test_replacing_and_removing_keeps_the_statistics_true(self, engine: SearchEngine, mine: Reach) -> None:
        kept, gone = change(mine, "one two three"), change(mine, "badger")
        self.put(engine, kept, gone)
        self.put(
            engine, replace(change(mine, "one otter", version=2), id=kept.id), replace(gone, version=2, body=None)
        )
        secret = self.grant(engine, mine).secret
        sums = self.as_reader(secret, "SELECT documents, turn_length, window_length FROM engine.statistics")
        assert sums == [(1, 2, 2)]
        assert {row[0] for row in self.as_reader(secret, "SELECT term FROM engine.posting")} == {"one", "otter"}

    def test_scores_are_lucenes_bm25(self, engine: SearchEngine, mine: Reach) -> None:
        documents = [
            change(mine, "badger otter badger", window="badger heron"),
            change(mine, "otter heron otter wren wren", window="otter"),
            change(mine, "heron", window="badger badger badger heron"),
        ]
        self.put(engine, *documents)
        found = self.find(engine, mine, "badger", window_weight=2.0)

        def bm25(frequency: int, length: int, average: float, *, having: int, of: int) -> float:
            idf = math.log(1 + (of - having + 0.5) / (having + 0.5))
            return idf * frequency / (frequency + 1.2 * (1 - 0.75 + 0.75 * length / average))

        turn, window = {"average": 9 / 3, "having": 1, "of": 3}, {"average": 7 / 3, "having": 2, "of": 3}
        first = bm25(2, 3, **turn) + 2 * bm25(1, 2, **window)  # type: ignore[arg-type]
        third = 2 * bm25(3, 4, **window)  # type: ignore[arg-type]
        assert {object_id: candidate.lexical for object_id, candidate in found.items()} == pytest.approx(
            {documents[0].id: first, documents[2].id: third}
        )

    def test_a_login_without_a_role_may_mint_and_nothing_else(self, engine: SearchEngine, mine: Reach) -> None:
        self.put(engine, change(mine, "badger"))
        for login in ("mneme_web", "mneme_worker"):
            with psycopg.connect(database_url(login), autocommit=True) as connection:
                for statement in (
                    "SELECT * FROM engine.document",
                    "SELECT * FROM engine.posting",
                    "SELECT * FROM engine.credential",
                    "SELECT engine.places()",
                    "DELETE FROM engine.document",
                ):
                    with pytest.raises(psycopg.errors.InsufficientPrivilege):
                        connection.execute(statement)
        with psycopg.connect(database_url("mneme_web")) as connection:
            for role in ("mneme_operator", "mneme_eraser"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
                    connection.execute("SELECT set_config('role', %s, true)", (role,))

    def test_the_web_login_can_search_and_not_write(self, engine: SearchEngine, mine: Reach) -> None:
        badger = change(mine, "badger")
        self.put(engine, badger)
        web = PostgresEngine(database_url("mneme_web"))
        try:
            assert set(self.find(web, mine, "badger")) == {badger.id}
            for write in (lambda: web.apply([badger]), lambda: web.count(mine)):
                with pytest.raises(Refused):
                    write()
        finally:
            web.close()

    def test_a_token_is_kept_as_its_hash_only(self, engine: SearchEngine, mine: Reach) -> None:
        key = self.grant(engine, mine)
        with psycopg.connect(database_url("mneme_owner")) as owner:
            (row,) = owner.execute(
                "SELECT c, token_hash FROM engine.credential c WHERE id = %s", (key.id,)
            ).fetchall()
        assert row[1] == hashlib.sha256(key.secret.encode()).digest()
        assert key.secret not in str(row)

    def test_the_token_ends_with_its_transaction(self, engine: SearchEngine, mine: Reach) -> None:
        self.put(engine, change(mine, "badger"))
        with psycopg.connect(database_url("mneme_web"), autocommit=True) as connection:
            with connection.transaction():
                connection.execute(statements.BEGIN, (self.grant(engine, mine).secret,))
                assert connection.execute("SELECT 1 FROM engine.document").fetchall() == [(1,)]
            with connection.transaction():
                connection.execute("SELECT set_config('role', 'mneme_engine', true)")
                assert connection.execute("SELECT 1 FROM engine.document").fetchall() == []

    def test_writers_in_each_others_way_lose_nothing(self, engine: SearchEngine, mine: Reach) -> None:
        reaches = [replace(mine, subject_id=uuid4()) for _ in range(3)]
        ids = [uuid4() for _ in range(40)]

        def run(worker: int) -> None:
            for version in range(1, 4):
                order = ids if worker % 2 else ids[::-1]
                batch = [
                    change(reaches[(worker + n) % 3], "badger", version=version * 10 + worker, object_id=object_id)
                    for n, object_id in enumerate(order)
                ]
                engine.apply(batch)

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(run, range(4)))
        assert set(engine.versions(mine.tenant_id, names.EPISODIC, ids).values()) == {33}
        sums = self.as_reader(
            self.grant(engine, mine).secret, "SELECT sum(documents), sum(turn_length) FROM engine.statistics"
        )
        assert sums == [(40, 40)]
        assert len(self.as_reader(self.grant(engine, mine).secret, "SELECT 1 FROM engine.posting")) == 40

    def test_vectors_of_another_length_are_no_candidates(self, engine: SearchEngine, mine: Reach) -> None:
        other, same = change(mine, "badger", embedding=[1.0, 0.0]), change(mine, "otter", embedding=axis(0))
        self.put(engine, other, same)
        found = self.find(engine, mine, "badger", vector=axis(0))
        assert found[other.id].dense is None
        assert found[same.id].dense == pytest.approx(1)

    def test_the_graph_of_a_large_reach_finds_what_the_scan_finds(
        self, engine: SearchEngine, mine: Reach, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        documents = [change(mine, "badger", embedding=made_up(number)) for number in range(400)]
        foreign = change(replace(mine, tenant_id=uuid4()), "badger", embedding=made_up(401))
        closed = change(mine, "badger", embedding=made_up(401), closed_at="2020-01-01T00:00:00Z")
        self.put(engine, *documents, foreign, closed)
        key = self.grant(engine, mine)
        exact = self.find(engine, mine, "nothing", using=key, vector=made_up(401), candidates=20)
        monkeypatch.setattr(nearest, "LARGE", 100)
        found = self.find(engine, mine, "nothing", using=key, vector=made_up(401), candidates=20)
        assert len(found.keys() & exact.keys()) >= 18
        assert not found.keys() & {foreign.id, closed.id}
        with psycopg.connect(database_url("mneme_web")) as connection:
            connection.execute(statements.BEGIN, (key.secret,))
            connection.execute(nearest._BEGIN, ("100",))
            asked = {"places": [1], "without": [], "vector": str(axis(0)), "candidates": 20}
            plan = connection.execute("EXPLAIN " + nearest._by_graph(Where(), 384), asked).fetchall()
        assert any("document_vector_384" in line for (line,) in plan)

    def test_where_the_graph_comes_back_short_all_is_measured(
        self, engine: SearchEngine, mine: Reach, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        documents = [change(mine, "badger", embedding=made_up(number)) for number in range(5)]
        self.put(engine, *documents, change(mine, "otter", embedding=[1.0, 0.0]))
        monkeypatch.setattr(nearest, "LARGE", 1)
        found = self.find(engine, mine, "nothing", vector=made_up(401), candidates=20)
        assert set(found) == {one.id for one in documents}

    def test_a_small_part_of_the_whole_is_measured_and_not_sought_in_the_graph(self) -> None:
        assert nearest._is_large({"documents": 20_000, "all_documents": 400_000})
        assert not nearest._is_large({"documents": 20_000, "all_documents": 400_001})
        assert not nearest._is_large({"documents": 19_999, "all_documents": 0})

    def test_making_the_tables_again_keeps_what_is_in_them(self, engine: SearchEngine, mine: Reach) -> None:
        badger = change(mine, "badger")
        self.put(engine, badger)
        key = self.grant(engine, mine)
        owner = PostgresEngine(database_url("mneme_owner"))
        owner.ensure([])
        owner.close()
        assert set(self.find(engine, mine, "badger", using=key)) == {badger.id}

    def test_an_engine_without_its_tables_is_unavailable(self, django_db_setup: None) -> None:
        elsewhere = PostgresEngine(database_url("mneme_web").rpartition("/")[0] + "/postgres")
        with pytest.raises(Unavailable, match="setup_search"):
            elsewhere.ping()
        elsewhere.close()


def test_a_connection_that_the_server_has_ended_is_replaced_before_it_is_used(django_db_setup: None) -> None:
    connections = Connections(database_url("mneme_worker"), size=1)
    with connections.transaction() as connection:
        first = connection.info.backend_pid
    with connections.transaction() as connection:
        assert connection.info.backend_pid == first  # the same one, and nothing was asked of the server for it
    with psycopg.connect(database_url("mneme_worker"), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", (first,))
    with connections.transaction() as connection:
        assert connection.info.backend_pid != first
        assert connection.execute("SELECT 1").fetchone() == (1,)
    connections.close()
