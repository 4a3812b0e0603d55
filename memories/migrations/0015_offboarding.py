"""The eraser may delete all rows of a tenant that is on its way out."""

from django.db import migrations

TABLES = (
    "memories_session",
    "memories_turn",
    "memories_memory",
    "memories_entity",
    "memories_relation",
    "memories_catalogdocument",
)

FORWARD = "".join(
    f"""
    CREATE POLICY eraser ON {table} TO mneme_eraser USING (tenant_id IN (SELECT tenants_offboarding_ids()));
    GRANT SELECT, DELETE ON {table} TO mneme_eraser;
    """
    for table in TABLES
)
REVERSE = "".join(f"REVOKE ALL ON {table} FROM mneme_eraser; DROP POLICY eraser ON {table};" for table in TABLES)


class Migration(migrations.Migration):
    dependencies = [("memories", "0014_index_rebuild"), ("tenants", "0010_keys_walls")]
    operations = [migrations.RunSQL(FORWARD, REVERSE)]
