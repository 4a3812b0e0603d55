"""Composite references, row-level security and grants of runs, decisions and reviews."""

from django.db import migrations

TENANT = "nullif(current_setting('app.tenant_id', true), '')::uuid"
SUBJECT = "nullif(current_setting('app.subject_id', true), '')::uuid"
NO_SUBJECT = "nullif(current_setting('app.subject_id', true), '') IS NULL"
BARRIER = "(subject_id <> ALL (ARRAY(SELECT tenants_erasing())))"
OWN = f"tenant_id = {TENANT} AND ({NO_SUBJECT} OR subject_id = {SUBJECT}) AND {BARRIER}"
COMPARTMENTS = (
    "ARRAY(SELECT item::varchar FROM jsonb_array_elements_text("
    "nullif(nullif(current_setting('app.compartments', true), ''), '*')::jsonb) AS held (item))"
)
IN_COMPARTMENT = (
    f"(compartments = '{{}}' OR compartments && {COMPARTMENTS}"
    " OR (SELECT current_setting('app.compartments', true) = '*'))"
)

TABLES = ("consolidation_run", "consolidation_decision", "consolidation_reviewitem")
REFERENCES = (
    # table, constraint, column, referenced table, ON DELETE
    ("consolidation_run", "run_of_subject", "subject_id", "tenants_subject", "CASCADE"),
    ("consolidation_decision", "decision_of_subject", "subject_id", "tenants_subject", "CASCADE"),
    ("consolidation_decision", "decision_of_run", "run_id", "consolidation_run", "CASCADE"),
    ("consolidation_decision", "decision_of_episode", "episode_id", "memories_memory", "CASCADE"),
    ("consolidation_decision", "decision_of_turn", "turn_id", "memories_turn", "CASCADE"),
    ("consolidation_decision", "decision_on_memory", "memory_id", "memories_memory", "SET NULL (memory_id)"),
    ("consolidation_decision", "decision_met_memory", "met_id", "memories_memory", "SET NULL (met_id)"),
    ("consolidation_reviewitem", "review_of_subject", "subject_id", "tenants_subject", "CASCADE"),
    ("consolidation_reviewitem", "review_of_run", "run_id", "consolidation_run", "CASCADE"),
    ("consolidation_reviewitem", "review_of_turn", "turn_id", "memories_turn", "CASCADE"),
    ("consolidation_reviewitem", "review_of_memory", "memory_id", "memories_memory", "CASCADE"),
    ("consolidation_reviewitem", "review_met_memory", "met_id", "memories_memory", "SET NULL (met_id)"),
)


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
        CREATE POLICY tenant ON {table} TO mneme_tenant USING ({OWN}) WITH CHECK ({OWN});
        CREATE POLICY compartments ON {table} AS RESTRICTIVE TO mneme_tenant USING ({IN_COMPARTMENT});
        CREATE POLICY operator ON {table} TO mneme_operator USING (true) WITH CHECK (true);
        CREATE POLICY owner ON {table} TO mneme_owner USING (true) WITH CHECK (true);
    """


def unwall(table: str) -> str:
    return f"""
        REVOKE ALL ON {table} FROM mneme_tenant, mneme_operator;
        DROP POLICY tenant ON {table}; DROP POLICY compartments ON {table};
        DROP POLICY operator ON {table}; DROP POLICY owner ON {table};
        ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY; ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
        ALTER TABLE {table} DROP CONSTRAINT {table}_of_tenant;
    """


INDEXES = """
    CREATE INDEX decision_run ON consolidation_decision (tenant_id, run_id);
    CREATE INDEX decision_subject ON consolidation_decision (tenant_id, subject_id);
    CREATE INDEX decision_episode ON consolidation_decision (tenant_id, episode_id);
    CREATE INDEX decision_turn ON consolidation_decision (tenant_id, turn_id);
    CREATE INDEX decision_memory ON consolidation_decision (tenant_id, memory_id) WHERE memory_id IS NOT NULL;
    CREATE INDEX decision_met ON consolidation_decision (tenant_id, met_id) WHERE met_id IS NOT NULL;
    CREATE INDEX review_subject ON consolidation_reviewitem (tenant_id, subject_id);
    CREATE INDEX review_run ON consolidation_reviewitem (tenant_id, run_id);
    CREATE INDEX review_turn ON consolidation_reviewitem (tenant_id, turn_id);
    CREATE INDEX review_memory ON consolidation_reviewitem (tenant_id, memory_id) WHERE memory_id IS NOT NULL;
    CREATE INDEX review_met ON consolidation_reviewitem (tenant_id, met_id) WHERE met_id IS NOT NULL;
"""
NO_INDEXES = """
    DROP INDEX decision_run, decision_subject, decision_episode, decision_turn, decision_memory, decision_met,
        review_subject, review_run, review_turn, review_memory, review_met;
"""
GRANTS = """
    GRANT SELECT, INSERT, UPDATE (state, episodes, counts, prompt_tokens, completion_tokens, error, lease_until,
        finished_at) ON consolidation_run TO mneme_tenant;
    GRANT SELECT, INSERT ON consolidation_decision TO mneme_tenant;
    GRANT SELECT, INSERT, UPDATE (state, decided_at) ON consolidation_reviewitem TO mneme_tenant;
    GRANT SELECT ON consolidation_run TO mneme_operator;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("consolidation", "0001_initial"),
        ("memories", "0020_consolidated_by"),
        ("tenants", "0011_seed_templates"),
    ]
    operations = [
        migrations.RunSQL(
            "".join(constrain(*reference) for reference in REFERENCES),
            "".join(f"ALTER TABLE {table} DROP CONSTRAINT {name};" for table, name, *_ in REFERENCES),
        ),
        migrations.RunSQL("".join(map(wall, TABLES)), "".join(map(unwall, TABLES))),
        migrations.RunSQL(INDEXES, NO_INDEXES),
        migrations.RunSQL(GRANTS, migrations.RunSQL.noop),
    ]
