"""The contract on Postgres, and what only Postgres can show: the wall seen from SQL."""

from collections.abc import Iterator
from dataclasses import replace
from uuid import uuid4

import psycopg
import pytest

from backends.search.base import Candidate, Reach, SearchEngine
from backends.search.postgres.engine import PostgresEngine
from tests.backends.made import axis, change
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
            for table in ("document", "posting", "statistics"):
                assert self.as_reader(secret, f"SELECT 1 FROM engine.{table}") == []

    @pytest.mark.parametrize(
        "statement",
        [
            "SELECT * FROM engine.credential",
            "SELECT engine.held()",
            "SELECT engine.revoke_tokens('{}')",
            "SELECT engine.reach(gen_random_uuid())",
            "DELETE FROM engine.document",
            "UPDATE engine.document SET author = 'x'",
            "INSERT INTO engine.statistics VALUES (gen_random_uuid(), 'episodic', null, null, 1, 1, 1)",
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
        assert [found.rare for found in self.find(engine, mine, "wombat").values()] == [1]

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
