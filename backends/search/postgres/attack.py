"""Attacks on the Postgres engine: SQL of the attacker's own, in the transaction in which a search runs.

That is more than a credential gives: its holder can send no SQL. It shows what each wall is worth should a statement
of ours ever be open to injection.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import psycopg

from backends.search.attack import Finding, Outcome, Target
from backends.search.postgres import statements
from backends.search.postgres.connection import Connection, Connections
from backends.search.reach import Credential


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """Statements that run in one transaction, which is rolled back; the last one's rows are looked at.

    `:name` stands for a value of the target, as a parameter. counted: the first row's first number must not exceed
    the attacker's own documents, or it tells how much others have. writes: rows reached mean that they were changed.
    """

    name: str
    sql: Sequence[str]
    known: Outcome
    counted: bool = False
    writes: bool = False


def _read(name: str, *sql: str, known: Outcome = Outcome.OWN, counted: bool = False) -> Probe:
    return Probe(name=name, sql=sql, known=known, counted=counted)


def _write(name: str, *sql: str, known: Outcome = Outcome.REFUSED) -> Probe:
    return Probe(name=name, sql=sql, known=known, writes=True)


_MINT = """
    SELECT engine.grant_token(gen_random_uuid(), sha256('stolen'), %(victim_tenant)s, NULL,
                              ARRAY['episodic'], '{}', '{}', now() + interval '1 hour')
"""
_STOLEN = "SELECT set_config('app.engine_token', 'stolen', true)"
_DOCUMENTS = "SELECT d::text FROM engine.document d"

PROBES = (
    _read("read: every document", _DOCUMENTS),
    _read("read: every place", "SELECT p::text FROM engine.place p"),
    _read("read: every word", "SELECT p::text FROM engine.posting p"),
    _read("read: every token of a filter", "SELECT f::text FROM engine.facet f"),
    _read("read: every passage", "SELECT p::text FROM engine.passage p"),
    _read("read: how many passages", "SELECT count(*) FROM engine.passage", counted=True),
    _read("read: every sum", "SELECT sum(documents) FROM engine.statistics", counted=True),
    _read("read: by the victim's tenant", f"{_DOCUMENTS} WHERE tenant_id = %(victim_tenant)s"),
    _read("read: by the victim's id", f"{_DOCUMENTS} WHERE id = %(victim_id)s"),
    _read(
        "read: by the victim's word",
        "SELECT count(*) FROM engine.posting WHERE term LIKE left(%(victim_word)s, 5) || '%%'",
        counted=True,
    ),
    _read("read: nearest vectors", f"{_DOCUMENTS} ORDER BY embedding <=> embedding LIMIT 100"),
    _read("read: how many", "SELECT count(*) FROM engine.document", counted=True),
    _read(
        "read: an error as an oracle",
        "SELECT 1 FROM engine.document WHERE 1 / (CASE WHEN tenant_id = %(victim_tenant)s THEN 0 ELSE 1 END) > 0",
    ),
    _read("read: a cast as an oracle", "SELECT term::integer FROM engine.posting WHERE term = %(victim_word)s"),
    _read("read: the tokens", "SELECT * FROM engine.credential", known=Outcome.REFUSED),
    _read("read: the record", "SELECT text FROM public.memories_memory", known=Outcome.REFUSED),
    _read(
        "read: row security off", "SELECT set_config('row_security', 'off', true)", _DOCUMENTS, known=Outcome.REFUSED
    ),
    _read(
        "catalog: the planner's samples",
        "SELECT most_common_vals::text, histogram_bounds::text FROM pg_stats WHERE schemaname = 'engine'",
    ),
    _read("catalog: the samples' table", "SELECT * FROM pg_statistic", known=Outcome.REFUSED),
    _read(
        "catalog: how large the tables are",
        "SELECT pg_relation_size('engine.document') / 100",
        known=Outcome.STATISTICS,
        counted=True,
    ),
    _read(
        "catalog: the numbering of documents", "SELECT last_value FROM engine.document_no_seq", known=Outcome.REFUSED
    ),
    _read("catalog: others' statements", "SELECT query FROM pg_stat_activity WHERE pid <> pg_backend_pid()"),
    _read("token: another by chance", _STOLEN, _DOCUMENTS),
    _read("token: none", "SELECT set_config('app.engine_token', '', true)", _DOCUMENTS),
    _write("token: one for the victim", _MINT),
    _write("token: revoke all", "SELECT engine.revoke_tokens(ARRAY[gen_random_uuid()])"),
    _read("token: what another reaches", "SELECT * FROM engine.reach(gen_random_uuid())", known=Outcome.REFUSED),
    _read("role: the operator", "SET LOCAL ROLE mneme_operator", _DOCUMENTS, known=Outcome.REFUSED),
    _read("role: the eraser", "SET LOCAL ROLE mneme_eraser", _DOCUMENTS, known=Outcome.REFUSED),
    _read("role: the owner", "SET LOCAL ROLE mneme_owner", _DOCUMENTS, known=Outcome.REFUSED),
    _read("role: none", "SET LOCAL ROLE none", _DOCUMENTS, known=Outcome.REFUSED),
    _read(
        "role: none, and a token of one's own making",
        "SET LOCAL ROLE none",
        _MINT,
        _STOLEN,
        "SET LOCAL ROLE mneme_engine",
        _DOCUMENTS,
        known=Outcome.LEAKED,
    ),
    _write("write: over documents", "UPDATE engine.document SET author = 'x'"),
    _write("write: delete documents", "DELETE FROM engine.document"),
    _write("write: a word", "INSERT INTO engine.posting VALUES (1, 1, 1, 1, 1, 1, 'x')"),
    _write("write: a sum", "UPDATE engine.statistics SET documents = 0"),
    _write("write: empty a table", "TRUNCATE engine.posting"),
    _write("write: a policy away", "DROP POLICY reader ON engine.document"),
    _write("write: row security away", "ALTER TABLE engine.document DISABLE ROW LEVEL SECURITY"),
    _write(
        "write: a function that sees rows", "CREATE FUNCTION pg_temp.f() RETURNS bool LANGUAGE sql AS 'SELECT true'"
    ),
    _write("write: a function in public", "CREATE FUNCTION public.f() RETURNS bool LANGUAGE sql AS 'SELECT true'"),
    _write("write: a temporary table", "CREATE TEMPORARY TABLE t (x text)"),
    _write("server: run a program", "COPY (SELECT 1) TO PROGRAM 'cat'"),
    _read("server: read a file", "SELECT pg_read_file('/etc/hostname')", known=Outcome.REFUSED),
    _write("server: an extension", "CREATE EXTENSION dblink"),
    _write("server: triggers off", "SET LOCAL session_replication_role = replica"),
)


def attack(connections: Connections, target: Target, *, using: Credential, own: int) -> list[Finding]:
    """Try every probe; own: documents in the attacker's reach."""
    parameters = {
        "victim_tenant": target.victim.tenant_id,
        "victim_id": target.victim_id,
        "victim_word": target.secrets[0],
    }
    return [_tried(connections, probe, target, parameters, using, own) for probe in PROBES]


def _tried(
    connections: Connections,
    probe: Probe,
    target: Target,
    parameters: dict[str, object],
    using: Credential,
    own: int,
) -> Finding:
    with connections.alone() as connection:
        try:
            found, detail = _judged(connection, probe, target, parameters, using, own)
        except psycopg.errors.InsufficientPrivilege:
            found, detail = Outcome.REFUSED, "42501"
        except (psycopg.errors.DivisionByZero, psycopg.errors.InvalidTextRepresentation) as error:
            found, detail = Outcome.LEAKED, str(error.sqlstate)
        except psycopg.Error as error:
            found, detail = Outcome.ABSENT, str(error.sqlstate)
        connection.rollback()
    return Finding(name=probe.name, known=probe.known, found=found, detail=detail)


def _judged(
    connection: Connection,
    probe: Probe,
    target: Target,
    parameters: dict[str, object],
    using: Credential,
    own: int,
) -> tuple[Outcome, str]:
    connection.execute(statements.BEGIN, (using.secret,))
    for statement in probe.sql:
        cursor = connection.execute(statement, parameters)
    rows = cursor.fetchall() if cursor.description else []
    text = repr(rows)
    if any(secret in text for secret in target.secrets):
        return Outcome.LEAKED, f"{len(rows)} rows"
    if probe.writes and (cursor.rowcount != 0):
        return Outcome.CHANGED, f"{cursor.rowcount} rows"
    if probe.counted and rows and rows[0][0] is not None and int(rows[0][0]) > own:
        return Outcome.STATISTICS, f"{rows[0][0]}, own are {own}"
    return Outcome.OWN, f"{len(rows)} rows"
