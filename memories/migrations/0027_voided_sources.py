"""A source that was voided is filtered by no more, and its memory's document says so; voided ones of before, too."""

from django.db import migrations

FORWARD = """
    CREATE TRIGGER voided AFTER UPDATE ON memories_source REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION memories_sources_changed();
    UPDATE memories_memory SET doc_version = doc_version + 1
        WHERE id IN (SELECT memory_id FROM memories_source WHERE voided_at IS NOT NULL);
"""
REVERSE = "DROP TRIGGER voided ON memories_source;"


class Migration(migrations.Migration):
    dependencies = [("memories", "0026_entity_merge")]
    operations = [migrations.RunSQL(FORWARD, REVERSE)]
