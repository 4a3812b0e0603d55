"""A memory's document tells of its sources, to be filtered by: what comes or goes there makes it another document."""

from django.db import migrations

FORWARD = """
    CREATE FUNCTION memories_sources_changed() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
        UPDATE public.memories_memory SET doc_version = doc_version + 1
            WHERE id IN (SELECT memory_id FROM changed);
        RETURN NULL;
    END $$;
    REVOKE ALL ON FUNCTION memories_sources_changed FROM PUBLIC;
    CREATE TRIGGER added AFTER INSERT ON memories_source REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION memories_sources_changed();
    CREATE TRIGGER removed AFTER DELETE ON memories_source REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION memories_sources_changed();
"""
REVERSE = """
    DROP TRIGGER added ON memories_source; DROP TRIGGER removed ON memories_source;
    DROP FUNCTION memories_sources_changed;
"""


class Migration(migrations.Migration):
    dependencies = [("memories", "0018_latest_version")]
    operations = [migrations.RunSQL(FORWARD, REVERSE)]
