"""Walls of token vectors, recall logs and golden questions."""

from django.db import migrations

TENANT = "nullif(current_setting('app.tenant_id', true), '')::uuid"
SUBJECT = "nullif(current_setting('app.subject_id', true), '')::uuid"
NO_SUBJECT = "nullif(current_setting('app.subject_id', true), '') IS NULL"
BARRIER = "(subject_id IS NULL OR subject_id <> ALL (ARRAY(SELECT tenants_erasing())))"
ALL = "(SELECT current_setting('app.{0}', true) = '*')"
LISTED = (
    "ARRAY(SELECT item::varchar FROM jsonb_array_elements_text("
    "nullif(nullif(current_setting('app.{0}', true), ''), '*')::jsonb) AS held (item))"
)
HANGING = (
    "(SELECT true FROM memories_memory r WHERE r.tenant_id = memories_memorytokens.tenant_id AND r.id = memory_id)"
)
SHARED_TOO = f"tenant_id = {TENANT} AND ({NO_SUBJECT} OR subject_id IS NULL OR subject_id = {SUBJECT}) AND {BARRIER}"
# What a key of the whole tenant asked is not for a user's key to see, be it about that user.
OWN = f"tenant_id = {TENANT} AND ({NO_SUBJECT} OR subject_id = {SUBJECT} AND by_user) AND {BARRIER}"
OF_TENANT = f"tenant_id = {TENANT} AND {NO_SUBJECT} AND {BARRIER}"

TABLES = ("memories_memorytokens", "memories_recalllog", "memories_goldenquestion")


def wall(table: str) -> str:
    return f"""
        ALTER TABLE {table} ADD CONSTRAINT {table}_of_tenant
            FOREIGN KEY (tenant_id) REFERENCES tenants_tenant (id) ON DELETE CASCADE;
        ALTER TABLE {table} ADD CONSTRAINT {table}_of_subject
            FOREIGN KEY (tenant_id, subject_id) REFERENCES tenants_subject (tenant_id, id) ON DELETE CASCADE;
        ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
        ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
        CREATE POLICY operator ON {table} TO mneme_operator USING (true) WITH CHECK (true);
        CREATE POLICY owner ON {table} TO mneme_owner USING (true) WITH CHECK (true);
        CREATE INDEX {table.removeprefix("memories_")}_subject ON {table} (tenant_id, subject_id);
    """


def unwall(table: str) -> str:
    return f"""
        REVOKE ALL ON {table} FROM mneme_tenant, mneme_operator;
        DROP INDEX {table.removeprefix("memories_")}_subject;
        DROP POLICY operator ON {table}; DROP POLICY owner ON {table};
        ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY; ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
        ALTER TABLE {table} DROP CONSTRAINT {table}_of_subject; ALTER TABLE {table} DROP CONSTRAINT {table}_of_tenant;
    """


def held(table: str) -> str:
    return f"""
        CREATE POLICY compartments ON {table} AS RESTRICTIVE TO mneme_tenant
            USING (compartments <@ {LISTED.format("compartments")} OR {ALL.format("compartments")});
        CREATE POLICY kinds ON {table} AS RESTRICTIVE TO mneme_tenant
            USING (kinds <@ {LISTED.format("kinds")} OR {ALL.format("kinds")});
    """


FORWARD = f"""
    ALTER TABLE memories_memorytokens ADD CONSTRAINT tokens_of_memory
        FOREIGN KEY (tenant_id, memory_id) REFERENCES memories_memory (tenant_id, id) ON DELETE CASCADE;
    ALTER TABLE memories_memorytokens ALTER COLUMN vectors SET STORAGE EXTERNAL;
    CREATE POLICY tenant ON memories_memorytokens FOR SELECT TO mneme_tenant USING ({SHARED_TOO});
    CREATE POLICY compartments ON memories_memorytokens AS RESTRICTIVE TO mneme_tenant USING ({HANGING});
    GRANT SELECT ON memories_memorytokens TO mneme_tenant;
    GRANT SELECT, INSERT ON memories_memorytokens TO mneme_operator;

    CREATE POLICY tenant ON memories_recalllog FOR SELECT TO mneme_tenant USING ({OWN});
    CREATE POLICY tenant_adds ON memories_recalllog FOR INSERT TO mneme_tenant WITH CHECK ({SHARED_TOO});
    {held("memories_recalllog")}
    GRANT SELECT, INSERT ON memories_recalllog TO mneme_tenant;
    GRANT SELECT, DELETE ON memories_recalllog TO mneme_operator;

    CREATE POLICY tenant ON memories_goldenquestion TO mneme_tenant USING ({OF_TENANT}) WITH CHECK ({OF_TENANT});
    {held("memories_goldenquestion")}
    GRANT SELECT, INSERT, DELETE ON memories_goldenquestion TO mneme_tenant;
    GRANT SELECT, DELETE ON memories_goldenquestion TO mneme_operator;
"""
REVERSE = """
    DROP POLICY compartments ON memories_goldenquestion; DROP POLICY kinds ON memories_goldenquestion;
    DROP POLICY tenant ON memories_goldenquestion;
    DROP POLICY compartments ON memories_recalllog; DROP POLICY kinds ON memories_recalllog;
    DROP POLICY tenant_adds ON memories_recalllog;
    DROP POLICY tenant ON memories_recalllog;
    DROP POLICY compartments ON memories_memorytokens;
    DROP POLICY tenant ON memories_memorytokens;
    ALTER TABLE memories_memorytokens DROP CONSTRAINT tokens_of_memory;
"""


class Migration(migrations.Migration):
    dependencies = [("memories", "0016_recall_log"), ("tenants", "0013_policy_walls")]
    operations = [
        migrations.RunSQL(
            "".join(wall(table) for table in TABLES) + FORWARD, REVERSE + "".join(unwall(table) for table in TABLES)
        )
    ]
