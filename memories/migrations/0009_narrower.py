"""Narrower: who changes a row owns it, columns that change are named, and nobody else hangs on our triggers."""

from django.db import migrations

TENANT = "nullif(current_setting('app.tenant_id', true), '')::uuid"
SUBJECT = "nullif(current_setting('app.subject_id', true), '')::uuid"
NO_SUBJECT = "nullif(current_setting('app.subject_id', true), '') IS NULL"
WRITES = f"tenant_id = {TENANT} AND ({NO_SUBJECT} OR subject_id = {SUBJECT})"
BARRIER = "(subject_id IS NULL OR subject_id <> ALL (ARRAY(SELECT tenants_erasing())))"

CHANGED = (
    "memories_session",
    "memories_memory",
    "memories_idempotencykey",
    "memories_entity",
    "memories_relation",
    "memories_catalogdocument",
    "memories_procedure",
    "memories_memoryuse",
)
FUNCTIONS = (
    "memories_guard_turn",
    "memories_stamp_memory",
    "memories_touch_memory",
    "memories_note_outbox",
    "memories_guard_memory",
    "memories_stamp",
    "memories_touch",
    "memories_drop_vectors",
    "memories_entity_renamed",
    "memories_note_outbox_of_kind",
)

# A user reads what is shared; changing or removing it needs the tenant's scope.
POLICIES = "".join(
    f"""
    CREATE POLICY own_update ON {table} AS RESTRICTIVE FOR UPDATE TO mneme_tenant USING ({WRITES});
    CREATE POLICY own_delete ON {table} AS RESTRICTIVE FOR DELETE TO mneme_tenant USING ({WRITES});
    """
    for table in CHANGED
)
NO_POLICIES = "".join(f"DROP POLICY own_update ON {table}; DROP POLICY own_delete ON {table};" for table in CHANGED)

GRANTS = """
    REVOKE UPDATE ON memories_entity, memories_relation, memories_memoryuse, memories_catalogdocument FROM mneme_tenant;
    GRANT UPDATE (entity_type, name, aliases, attributes, closed_at) ON memories_entity TO mneme_tenant;
    GRANT UPDATE (weight, closed_at) ON memories_relation TO mneme_tenant;
    GRANT UPDATE (recalls, last_recalled_at) ON memories_memoryuse TO mneme_tenant;
    GRANT UPDATE (title, text, tags, metadata, content_hash, updated_at) ON memories_catalogdocument TO mneme_tenant;
    REVOKE UPDATE (accepted_at) ON memories_memory FROM mneme_tenant;
    REVOKE INSERT ON memories_entityvector, memories_relationvector, memories_catalogvector FROM mneme_tenant;
    GRANT SELECT (tenant_id, response) ON memories_idempotencykey TO mneme_operator;
"""
BACK = """
    GRANT UPDATE ON memories_entity, memories_relation, memories_memoryuse, memories_catalogdocument TO mneme_tenant;
    GRANT UPDATE (accepted_at) ON memories_memory TO mneme_tenant;
    GRANT INSERT ON memories_entityvector, memories_relationvector, memories_catalogvector TO mneme_tenant;
    REVOKE SELECT (tenant_id, response) ON memories_idempotencykey FROM mneme_operator;
"""

# They run with the owner's rights, on whatever table somebody makes a trigger for.
CLOSED = f"REVOKE EXECUTE ON FUNCTION {', '.join(FUNCTIONS)} FROM PUBLIC;"
OPEN = f"GRANT EXECUTE ON FUNCTION {', '.join(FUNCTIONS)} TO PUBLIC;"

# Only what a row is found by makes its vector old.
VECTORS = """
    DROP TRIGGER revectored ON memories_entity;
    DROP TRIGGER revectored ON memories_relation;
    DROP TRIGGER revectored ON memories_catalogdocument;
    CREATE TRIGGER revectored AFTER UPDATE ON memories_entity FOR EACH ROW
        WHEN ((NEW.entity_type, NEW.name, NEW.aliases, NEW.attributes)
              IS DISTINCT FROM (OLD.entity_type, OLD.name, OLD.aliases, OLD.attributes))
        EXECUTE FUNCTION memories_drop_vectors('memories_entityvector', 'entity_id');
    CREATE TRIGGER revectored AFTER UPDATE ON memories_catalogdocument FOR EACH ROW
        WHEN ((NEW.title, NEW.text) IS DISTINCT FROM (OLD.title, OLD.text))
        EXECUTE FUNCTION memories_drop_vectors('memories_catalogvector', 'document_id');
"""
OLD_VECTORS = """
    DROP TRIGGER revectored ON memories_entity; DROP TRIGGER revectored ON memories_catalogdocument;
""" + "".join(
    f"""
    CREATE TRIGGER revectored AFTER UPDATE ON {table} FOR EACH ROW WHEN (NEW.version IS DISTINCT FROM OLD.version)
        EXECUTE FUNCTION memories_drop_vectors('{vectors}', '{column}');
    """
    for table, vectors, column in (
        ("memories_entity", "memories_entityvector", "entity_id"),
        ("memories_relation", "memories_relationvector", "relation_id"),
        ("memories_catalogdocument", "memories_catalogvector", "document_id"),
    )
)

# A credential minted for somebody who is being erased is not kept, and so is revoked.
CREDENTIALS = f"""
    ALTER POLICY tenant ON tenants_enginecredential
        USING (tenant_id = {TENANT} AND ({NO_SUBJECT} OR subject_id = {SUBJECT}))
        WITH CHECK (tenant_id = {TENANT} AND ({NO_SUBJECT} OR subject_id = {SUBJECT}) AND {BARRIER});
"""
OLD_CREDENTIALS = f"""
    ALTER POLICY tenant ON tenants_enginecredential
        USING (tenant_id = {TENANT} AND ({NO_SUBJECT} OR subject_id = {SUBJECT}))
        WITH CHECK (tenant_id = {TENANT} AND ({NO_SUBJECT} OR subject_id = {SUBJECT}));
"""


class Migration(migrations.Migration):
    dependencies = [("memories", "0008_old_idempotency_keys"), ("tenants", "0007_sealing")]
    operations = [
        migrations.RunSQL(POLICIES, NO_POLICIES),
        migrations.RunSQL(GRANTS, BACK),
        migrations.RunSQL(CLOSED, OPEN),
        migrations.RunSQL(VECTORS, OLD_VECTORS),
        migrations.RunSQL(CREDENTIALS, OLD_CREDENTIALS),
    ]
