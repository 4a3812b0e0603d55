"""Walls of passages; they go with the vector of their row, and are a part of its document."""

from django.db import migrations

TENANT = "nullif(current_setting('app.tenant_id', true), '')::uuid"
SUBJECT = "nullif(current_setting('app.subject_id', true), '')::uuid"
NO_SUBJECT = "nullif(current_setting('app.subject_id', true), '') IS NULL"
BARRIER = "(subject_id IS NULL OR subject_id <> ALL (ARRAY(SELECT tenants_erasing())))"
READS = f"tenant_id = {TENANT} AND ({NO_SUBJECT} OR subject_id IS NULL OR subject_id = {SUBJECT}) AND {BARRIER}"

TABLES = (
    # table, its column, the row's table, the vectors' table
    ("memories_memorypassages", "memory_id", "memories_memory", "memories_memoryvector"),
    ("memories_catalogpassages", "document_id", "memories_catalogdocument", "memories_catalogvector"),
)


def wall(table: str, column: str, rows: str, vectors: str) -> str:
    name = table.removeprefix("memories_")
    return f"""
        ALTER TABLE {table} ADD CONSTRAINT {table}_of_tenant
            FOREIGN KEY (tenant_id) REFERENCES tenants_tenant (id) ON DELETE CASCADE;
        ALTER TABLE {table} ADD CONSTRAINT {table}_of_subject
            FOREIGN KEY (tenant_id, subject_id) REFERENCES tenants_subject (tenant_id, id) ON DELETE CASCADE;
        ALTER TABLE {table} ADD CONSTRAINT {table}_of_row
            FOREIGN KEY (tenant_id, {column}) REFERENCES {rows} (tenant_id, id) ON DELETE CASCADE;
        ALTER TABLE {table} ADD CONSTRAINT {table}_of_vector
            FOREIGN KEY (tenant_id, vector_id) REFERENCES {vectors} (tenant_id, id) ON DELETE CASCADE;
        ALTER TABLE {table} ALTER COLUMN vectors SET STORAGE EXTERNAL;
        ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
        ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
        CREATE POLICY tenant ON {table} FOR SELECT TO mneme_tenant USING ({READS});
        CREATE POLICY compartments ON {table} AS RESTRICTIVE TO mneme_tenant
            USING ((SELECT true FROM {rows} r WHERE r.tenant_id = {table}.tenant_id AND r.id = {table}.{column}));
        CREATE POLICY operator ON {table} TO mneme_operator USING (true) WITH CHECK (true);
        CREATE POLICY owner ON {table} TO mneme_owner USING (true) WITH CHECK (true);
        CREATE INDEX {name}_subject ON {table} (tenant_id, subject_id);
        CREATE INDEX {name}_vector ON {table} (tenant_id, vector_id);
        GRANT SELECT ON {table} TO mneme_tenant;
        GRANT SELECT, INSERT ON {table} TO mneme_operator;
        CREATE TRIGGER touch AFTER INSERT OR UPDATE OR DELETE ON {table}
            FOR EACH ROW EXECUTE FUNCTION memories_touch('{rows}', '{column}');
    """


def unwall(table: str, *_: str) -> str:
    name = table.removeprefix("memories_")
    return f"""
        DROP TRIGGER touch ON {table};
        REVOKE ALL ON {table} FROM mneme_tenant, mneme_operator;
        DROP INDEX {name}_subject; DROP INDEX {name}_vector;
        DROP POLICY compartments ON {table}; DROP POLICY tenant ON {table};
        DROP POLICY operator ON {table}; DROP POLICY owner ON {table};
        ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY; ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
        ALTER TABLE {table} DROP CONSTRAINT {table}_of_vector; ALTER TABLE {table} DROP CONSTRAINT {table}_of_row;
        ALTER TABLE {table} DROP CONSTRAINT {table}_of_subject; ALTER TABLE {table} DROP CONSTRAINT {table}_of_tenant;
    """


class Migration(migrations.Migration):
    dependencies = [("memories", "0024_passages")]
    operations = [
        migrations.RunSQL(
            "".join(wall(*table) for table in TABLES), "".join(unwall(*table) for table in reversed(TABLES))
        )
    ]
