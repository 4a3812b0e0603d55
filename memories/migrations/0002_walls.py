"""Composite references, row-level security and grants of the record."""

from django.db import migrations

TENANT = "nullif(current_setting('app.tenant_id', true), '')::uuid"
SUBJECT = "nullif(current_setting('app.subject_id', true), '')::uuid"
NO_SUBJECT = "nullif(current_setting('app.subject_id', true), '') IS NULL"
# A subject reads its own and the shared rows, and writes its own only.
READS = f"tenant_id = {TENANT} AND ({NO_SUBJECT} OR subject_id IS NULL OR subject_id = {SUBJECT})"
WRITES = f"tenant_id = {TENANT} AND ({NO_SUBJECT} OR subject_id = {SUBJECT})"

TABLES = (
    "memories_session",
    "memories_turn",
    "memories_memory",
    "memories_memoryvector",
    "memories_outboxentry",
    "memories_idempotencykey",
)
REFERENCES = (
    # table, constraint, column, referenced table
    ("memories_session", "session_of_subject", "subject_id", "tenants_subject"),
    ("memories_turn", "turn_of_subject", "subject_id", "tenants_subject"),
    ("memories_turn", "turn_of_session", "session_id", "memories_session"),
    ("memories_memory", "memory_of_subject", "subject_id", "tenants_subject"),
    ("memories_memory", "memory_of_session", "session_id", "memories_session"),
    ("memories_memory", "memory_of_turn", "turn_id", "memories_turn"),
    ("memories_memoryvector", "vector_of_subject", "subject_id", "tenants_subject"),
    ("memories_memoryvector", "vector_of_memory", "memory_id", "memories_memory"),
    ("memories_idempotencykey", "idempotency_key_of_subject", "subject_id", "tenants_subject"),
    ("memories_idempotencykey", "idempotency_key_of_api_key", "api_key_id", "tenants_apikey"),
)


def constrain(table: str, name: str, column: str, target: str) -> str:
    return f"""
        ALTER TABLE {table} ADD CONSTRAINT {name} FOREIGN KEY (tenant_id, {column})
            REFERENCES {target} (tenant_id, id) ON DELETE CASCADE;
    """


def wall(table: str) -> str:
    return f"""
        ALTER TABLE {table} ADD CONSTRAINT {table}_of_tenant
            FOREIGN KEY (tenant_id) REFERENCES tenants_tenant (id) ON DELETE CASCADE;
        ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
        ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
        CREATE POLICY tenant ON {table} TO mneme_tenant USING ({READS}) WITH CHECK ({WRITES});
        CREATE POLICY operator ON {table} TO mneme_operator USING (true) WITH CHECK (true);
        CREATE POLICY owner ON {table} TO mneme_owner USING (true) WITH CHECK (true);
    """


def unwall(table: str) -> str:
    return f"""
        REVOKE ALL ON {table} FROM mneme_tenant, mneme_operator;
        DROP POLICY tenant ON {table}; DROP POLICY operator ON {table}; DROP POLICY owner ON {table};
        ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY; ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
        ALTER TABLE {table} DROP CONSTRAINT {table}_of_tenant;
    """


INDEXES = """
    CREATE INDEX turn_subject ON memories_turn (tenant_id, subject_id);
    CREATE INDEX memory_session ON memories_memory (tenant_id, session_id);
    CREATE INDEX memory_vector_subject ON memories_memoryvector (tenant_id, subject_id);
    CREATE INDEX idempotency_key_subject ON memories_idempotencykey (tenant_id, subject_id);
"""
GRANTS = """
    GRANT SELECT, INSERT, UPDATE (turn_count, speakers) ON memories_session TO mneme_tenant;
    GRANT SELECT, INSERT ON memories_turn, memories_memoryvector TO mneme_tenant;
    GRANT SELECT, INSERT, UPDATE (context) ON memories_memory TO mneme_tenant;
    GRANT SELECT ON memories_outboxentry TO mneme_tenant;
    GRANT SELECT, INSERT, UPDATE (response) ON memories_idempotencykey TO mneme_tenant;
    GRANT SELECT ON memories_session, memories_turn, memories_memory TO mneme_operator;
    GRANT SELECT, INSERT ON memories_memoryvector TO mneme_operator;
    GRANT SELECT, UPDATE, DELETE ON memories_outboxentry TO mneme_operator;
"""


class Migration(migrations.Migration):
    dependencies = [("memories", "0001_initial"), ("tenants", "0002_walls")]
    operations = [
        migrations.RunSQL(
            "".join(constrain(*reference) for reference in REFERENCES),
            "".join(f"ALTER TABLE {table} DROP CONSTRAINT {name};" for table, name, _, _ in REFERENCES),
        ),
        migrations.RunSQL("".join(map(wall, TABLES)), "".join(map(unwall, TABLES))),
        migrations.RunSQL(
            INDEXES,
            "DROP INDEX turn_subject, memory_session, memory_vector_subject, idempotency_key_subject;",
        ),
        migrations.RunSQL(GRANTS, migrations.RunSQL.noop),
    ]
