"""Composite references, row-level security and grants of the newer tables; the barrier of an erasure on all."""

from django.db import migrations

TENANT = "nullif(current_setting('app.tenant_id', true), '')::uuid"
SUBJECT = "nullif(current_setting('app.subject_id', true), '')::uuid"
NO_SUBJECT = "nullif(current_setting('app.subject_id', true), '') IS NULL"
BARRIER = "(subject_id IS NULL OR subject_id <> ALL (ARRAY(SELECT tenants_erasing())))"
# A subject reads its own and the shared rows, and writes its own only; of a subject that is being erased, nothing.
READS = f"tenant_id = {TENANT} AND ({NO_SUBJECT} OR subject_id IS NULL OR subject_id = {SUBJECT})"
WRITES = f"tenant_id = {TENANT} AND ({NO_SUBJECT} OR subject_id = {SUBJECT})"

EARLIER = (
    "memories_session",
    "memories_turn",
    "memories_memory",
    "memories_memoryvector",
    "memories_outboxentry",
    "memories_idempotencykey",
)
TABLES = (
    "memories_entity",
    "memories_relation",
    "memories_catalogdocument",
    "memories_entityvector",
    "memories_relationvector",
    "memories_catalogvector",
    "memories_source",
    "memories_procedure",
    "memories_memoryuse",
)
REFERENCES = (
    # table, constraint, column, referenced table, ON DELETE
    ("memories_entity", "entity_of_subject", "subject_id", "tenants_subject", "CASCADE"),
    ("memories_relation", "relation_of_subject", "subject_id", "tenants_subject", "CASCADE"),
    ("memories_relation", "relation_from_entity", "subject_entity_id", "memories_entity", "CASCADE"),
    ("memories_relation", "relation_to_entity", "object_entity_id", "memories_entity", "CASCADE"),
    ("memories_memory", "memory_of_entity", "entity_id", "memories_entity", "SET NULL (entity_id)"),
    ("memories_memory", "memory_of_restored", "restores_id", "memories_memory", "SET NULL (restores_id)"),
    ("memories_entityvector", "entity_vector_of_subject", "subject_id", "tenants_subject", "CASCADE"),
    ("memories_entityvector", "vector_of_entity", "entity_id", "memories_entity", "CASCADE"),
    ("memories_relationvector", "relation_vector_of_subject", "subject_id", "tenants_subject", "CASCADE"),
    ("memories_relationvector", "vector_of_relation", "relation_id", "memories_relation", "CASCADE"),
    ("memories_catalogvector", "vector_of_catalog_document", "document_id", "memories_catalogdocument", "CASCADE"),
    ("memories_source", "source_of_subject", "subject_id", "tenants_subject", "CASCADE"),
    ("memories_source", "source_of_memory", "memory_id", "memories_memory", "CASCADE"),
    ("memories_source", "source_from_turn", "turn_id", "memories_turn", "CASCADE"),
    ("memories_source", "source_from_parent", "parent_id", "memories_memory", "CASCADE"),
    ("memories_procedure", "procedure_of_subject", "subject_id", "tenants_subject", "CASCADE"),
    ("memories_procedure", "procedure_of_memory", "memory_id", "memories_memory", "CASCADE"),
    ("memories_memoryuse", "memory_use_of_subject", "subject_id", "tenants_subject", "CASCADE"),
    ("memories_memoryuse", "memory_use_of_memory", "memory_id", "memories_memory", "CASCADE"),
)
# The old row is closed before its successor is there, so this one is looked at when the transaction ends.
SUCCESSOR = """
    ALTER TABLE memories_memory ADD CONSTRAINT memory_of_successor FOREIGN KEY (tenant_id, superseded_by_id)
        REFERENCES memories_memory (tenant_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
"""


def constrain(table: str, name: str, column: str, target: str, then: str) -> str:
    return f"""
        ALTER TABLE {table} ADD CONSTRAINT {name} FOREIGN KEY (tenant_id, {column})
            REFERENCES {target} (tenant_id, id) ON DELETE {then};
    """


def wall(table: str) -> str:
    return f"""
        ALTER TABLE {table} ADD CONSTRAINT {table}_of_tenant
            FOREIGN KEY (tenant_id) REFERENCES tenants_tenant (id) ON DELETE CASCADE;
        ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
        ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
        CREATE POLICY tenant ON {table} TO mneme_tenant USING ({READS} AND {BARRIER}) WITH CHECK ({WRITES} AND {BARRIER});
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


def barrier(table: str) -> str:
    return f"ALTER POLICY tenant ON {table} USING ({READS} AND {BARRIER}) WITH CHECK ({WRITES} AND {BARRIER});"


def no_barrier(table: str) -> str:
    return f"ALTER POLICY tenant ON {table} USING ({READS}) WITH CHECK ({WRITES});"


INDEXES = """
    CREATE INDEX relation_from ON memories_relation (tenant_id, subject_entity_id);
    CREATE INDEX relation_to ON memories_relation (tenant_id, object_entity_id);
    CREATE INDEX source_memory ON memories_source (tenant_id, memory_id);
    CREATE INDEX source_turn ON memories_source (tenant_id, turn_id);
    CREATE INDEX source_parent ON memories_source (tenant_id, parent_id);
    CREATE INDEX memory_entity ON memories_memory (tenant_id, entity_id) WHERE entity_id IS NOT NULL;
    CREATE INDEX memory_restored ON memories_memory (tenant_id, restores_id) WHERE restores_id IS NOT NULL;
    CREATE INDEX memory_turn ON memories_memory (tenant_id, turn_id);
    CREATE INDEX session_newest ON memories_session (tenant_id, subject_id, created_at DESC);
    CREATE INDEX outbox_applied ON memories_outboxentry (applied_at) WHERE applied_at IS NOT NULL;
""" + "".join(
    f"CREATE INDEX {table.removeprefix('memories_')}_subject ON {table} (tenant_id, subject_id);"
    for table in ("memories_relation", "memories_entityvector", "memories_relationvector", "memories_source",
                  "memories_procedure", "memories_memoryuse")
)  # fmt: skip
NO_INDEXES = "DROP INDEX " + ", ".join(
    ["relation_from", "relation_to", "source_memory", "source_turn", "source_parent", "memory_entity",
     "memory_restored", "memory_turn", "session_newest", "outbox_applied", "relation_subject", "entityvector_subject",
     "relationvector_subject", "source_subject", "procedure_subject", "memoryuse_subject"]
)  # fmt: skip
GRANTS = """
    GRANT UPDATE (context, status, closed_at, superseded_by_id, contradiction, ended_at, frequency, rebuild_due_at,
        accepted_at) ON memories_memory TO mneme_tenant;
    GRANT SELECT, INSERT ON memories_source, memories_entityvector, memories_relationvector, memories_catalogvector
        TO mneme_tenant;
    GRANT SELECT, INSERT, UPDATE ON memories_entity, memories_relation, memories_memoryuse TO mneme_tenant;
    GRANT SELECT, INSERT, UPDATE (success_count, failure_count) ON memories_procedure TO mneme_tenant;
    GRANT SELECT, INSERT, UPDATE, DELETE ON memories_catalogdocument TO mneme_tenant;
    GRANT SELECT ON memories_entity, memories_relation, memories_catalogdocument, memories_procedure, memories_source
        TO mneme_operator;
    GRANT SELECT, INSERT ON memories_entityvector, memories_relationvector, memories_catalogvector TO mneme_operator;
    GRANT UPDATE (doc_version) ON memories_memory, memories_entity, memories_relation, memories_catalogdocument
        TO mneme_operator;
"""


class Migration(migrations.Migration):
    dependencies = [("memories", "0004_change_and_see"), ("tenants", "0004_erasure_and_jobs")]
    operations = [
        migrations.RunSQL(
            "".join(constrain(*reference) for reference in REFERENCES) + SUCCESSOR,
            "ALTER TABLE memories_memory DROP CONSTRAINT memory_of_successor;"
            + "".join(f"ALTER TABLE {table} DROP CONSTRAINT {name};" for table, name, *_ in REFERENCES),
        ),
        migrations.RunSQL("".join(map(wall, TABLES)), "".join(map(unwall, TABLES))),
        migrations.RunSQL("".join(map(barrier, EARLIER)), "".join(map(no_barrier, EARLIER))),
        migrations.RunSQL(INDEXES, NO_INDEXES),
        migrations.RunSQL(GRANTS, migrations.RunSQL.noop),
    ]
