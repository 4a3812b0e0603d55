"""The attack on the record: SQL of the attacker's own inside its scope, as if a statement of ours let it in."""

from dataclasses import dataclass

from django.apps import apps
from django.db import DatabaseError, connection, transaction

from backends.search.attack import Finding, Outcome
from compliance.services.attack.planted import Planted
from tenants.scope import Scope
from tenants.services.open_scope import open_scope

ALL_TABLES = "read: every row of every table"
_REFUSED = frozenset({"42501"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """SQL in a scope, rolled back afterwards. writes: rows reached mean that they were changed.

    twice: sent with ids that nothing has too, and the answers are compared.
    """

    name: str
    sql: tuple[str, ...]
    known: Outcome
    writes: bool = False
    twice: bool = False


def _read(name: str, *sql: str, known: Outcome = Outcome.OWN, twice: bool = False) -> Probe:
    return Probe(name=name, sql=sql, known=known, twice=twice)


def _write(name: str, *sql: str, known: Outcome = Outcome.REFUSED) -> Probe:
    return Probe(name=name, sql=sql, known=known, writes=True)


_TURNS = "SELECT t::text FROM memories_turn t"
_AS_VICTIM = "SELECT set_config('app.tenant_id', %(victim)s, true), set_config('app.subject_id', '', true)"
_NEW_SUBJECT = """
    INSERT INTO tenants_subject (id, tenant_id, external_id, pseudonym_key, created_at)
    VALUES ({id}, {tenant}, 'x', '', now())
"""

PROBES = (
    _read("read: by the victim's tenant", f"{_TURNS} WHERE tenant_id = %(victim)s::uuid"),
    _read("read: by the victim's id", f"{_TURNS} WHERE id = %(turn)s::uuid"),
    _read(
        "read: an error as an oracle",
        "SELECT 1 FROM memories_turn WHERE 1 / (CASE WHEN tenant_id = %(victim)s::uuid THEN 0 ELSE 1 END) > 0",
    ),
    _read("read: row security off", "SELECT set_config('row_security', 'off', true)", _TURNS, known=Outcome.REFUSED),
    _read(
        "catalog: the planner's samples",
        "SELECT most_common_vals::text, histogram_bounds::text FROM pg_stats WHERE schemaname = 'public'",
    ),
    _read("catalog: the samples' table", "SELECT * FROM pg_statistic", known=Outcome.REFUSED),
    _read("catalog: others' statements", "SELECT query FROM pg_stat_activity WHERE pid <> pg_backend_pid()"),
    _read("engine: its documents", "SELECT * FROM engine.document", known=Outcome.REFUSED),
    _read("engine: its tokens", "SELECT * FROM engine.credential", known=Outcome.REFUSED),
    _read("function: find a key", "SELECT * FROM tenants_find_key('x')", known=Outcome.REFUSED),
    _read("function: find memberships", "SELECT * FROM tenants_find_memberships(1)", known=Outcome.REFUSED),
    _read(
        "oracle: a primary key taken",
        _NEW_SUBJECT.format(id="%(subject)s::uuid", tenant="%(own)s::uuid"),
        known=Outcome.EXISTENCE,
        twice=True,
    ),
    _read(
        "oracle: a reference to the victim's row",
        "INSERT INTO memories_memoryvector (id, tenant_id, memory_id, model, vector)"
        " VALUES (gen_random_uuid(), %(own)s::uuid, %(memory)s::uuid, 'x', '[1,0]')",
        twice=True,
    ),
    _write("write: for the victim", _NEW_SUBJECT.format(id="gen_random_uuid()", tenant="%(victim)s::uuid")),
    _write(
        "write: over the victim's memory",
        "UPDATE memories_memory SET context = 'x' WHERE id = %(memory)s::uuid",
        known=Outcome.OWN,
    ),
    _write("write: over a turn", "UPDATE memories_turn SET content = 'x'"),
    _write("write: delete turns", "DELETE FROM memories_turn"),
    _write("write: delete memories", "DELETE FROM memories_memory"),
    _write("write: an event", "UPDATE tenants_event SET kind = 'x'"),
    _write("write: delete events", "DELETE FROM tenants_event"),
    _write("write: empty a table", "TRUNCATE memories_turn"),
    _write("write: a policy away", "DROP POLICY tenant ON memories_turn"),
    _write("write: row security away", "ALTER TABLE memories_turn DISABLE ROW LEVEL SECURITY"),
    _write("write: a temporary table", "CREATE TEMPORARY TABLE t (x text)"),
    _write("write: a function", "CREATE FUNCTION public.f() RETURNS bool LANGUAGE sql AS 'SELECT true'"),
    _write("write: triggers off", "SET LOCAL session_replication_role = replica"),
    _read("role: the operator", "SET LOCAL ROLE mneme_operator", _TURNS, known=Outcome.REFUSED),
    _read("role: the eraser", "SET LOCAL ROLE mneme_eraser", _TURNS, known=Outcome.REFUSED),
    _read("role: the owner", "SET LOCAL ROLE mneme_owner", _TURNS, known=Outcome.REFUSED),
    _read("role: none", "SET LOCAL ROLE none", _TURNS, known=Outcome.REFUSED),
    _read("scope: no tenant", "SELECT set_config('app.tenant_id', '', true)", _TURNS),
    _read("scope: the victim's tenant by its id", _AS_VICTIM, _TURNS, known=Outcome.LEAKED),
)


def attack_record(scope: Scope, *, victim: Scope, planted: Planted, unknown: str) -> list[Finding]:
    """Try every probe in the attacker's scope, under the login that answers requests. unknown: an id of nothing."""
    values = {
        "own": str(scope.tenant_id),
        "victim": str(victim.tenant_id),
        "turn": planted.turn_id,
        "memory": planted.memory_id,
        "subject": planted.subject_id,
    }
    nothing = {name: unknown if name in {"turn", "memory", "subject"} else value for name, value in values.items()}
    findings = [_all_tables(scope, values, planted)]
    for probe in PROBES:
        found, detail = _tried(scope, probe, values, planted)
        if probe.twice:
            told = {_tried(scope, probe, row, planted)[1] for row in (values, nothing)}
            found = Outcome.EXISTENCE if len(told) > 1 else Outcome.OWN
        findings.append(Finding(name=probe.name, known=probe.known, found=found, detail=detail))
    return findings


def _all_tables(scope: Scope, values: dict[str, str], planted: Planted) -> Finding:
    """Read every table of the rooms whole; return the worst that came of it."""
    models = [model for room in ("tenants", "memories") for model in apps.get_app_config(room).get_models()]
    outcomes = {}
    for model in models:
        table = model._meta.db_table
        probe = _read(table, f"SELECT x::text FROM {table} x")  # noqa: S608 - a name of ours
        outcomes[table] = _tried(scope, probe, values, planted)[0]
    leaking = [table for table, outcome in outcomes.items() if outcome not in {Outcome.OWN, Outcome.REFUSED}]
    found = Outcome.LEAKED if leaking else Outcome.OWN
    return Finding(name=ALL_TABLES, known=Outcome.OWN, found=found, detail=", ".join(leaking) or f"{len(models)}")


def _tried(scope: Scope, probe: Probe, values: dict[str, str], planted: Planted) -> tuple[Outcome, str]:
    try:
        with open_scope(scope), connection.cursor() as cursor:
            for statement in probe.sql:
                cursor.execute(statement, values)
            rows = cursor.fetchall() if cursor.description else []
            reached = cursor.rowcount
            transaction.set_rollback(True)
    except DatabaseError as error:
        state = str(getattr(error.__cause__, "sqlstate", ""))
        if state == "22012":  # division by zero: the statement ran on a foreign row
            return Outcome.LEAKED, state
        return Outcome.REFUSED if state in _REFUSED else Outcome.ABSENT, state
    text = repr(rows)
    if any(secret in text for secret in planted.secrets):
        return Outcome.LEAKED, f"{len(rows)} rows"
    if probe.writes and reached != 0:
        return Outcome.CHANGED, f"{reached} rows"
    return Outcome.OWN, f"{len(rows)} rows"
