"""What is archived loses its vectors, and may be deleted by the eraser where nothing rests on it; how memory grows."""

from django.db import migrations

VECTORS = """
    CREATE TRIGGER archived AFTER UPDATE ON memories_memory FOR EACH ROW
        WHEN (NEW.status = 'archived' AND OLD.status <> 'archived')
        EXECUTE FUNCTION memories_drop_vectors('memories_memoryvector', 'memory_id');
    CREATE TRIGGER archived_tokens AFTER UPDATE ON memories_memory FOR EACH ROW
        WHEN (NEW.status = 'archived' AND OLD.status <> 'archived')
        EXECUTE FUNCTION memories_drop_vectors('memories_memorytokens', 'memory_id');
"""
NO_VECTORS = "DROP TRIGGER archived ON memories_memory; DROP TRIGGER archived_tokens ON memories_memory;"

# With a row go the rows that it superseded: none of them may be on hold or be what another memory rests on.
FORGETTABLE = """
    CREATE FUNCTION memories_is_needed(wanted uuid) RETURNS boolean
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        WITH RECURSIVE gone (tenant_id, id, on_hold) AS (
            SELECT tenant_id, id, on_hold FROM public.memories_memory WHERE id = wanted
            UNION
            SELECT m.tenant_id, m.id, m.on_hold FROM gone
                JOIN public.memories_memory m ON m.tenant_id = gone.tenant_id AND m.superseded_by_id = gone.id
        )
        SELECT EXISTS (SELECT FROM gone WHERE on_hold) OR EXISTS (
            SELECT FROM gone
                JOIN public.memories_source edge ON edge.tenant_id = gone.tenant_id AND edge.parent_id = gone.id
                JOIN public.memories_memory m ON m.tenant_id = edge.tenant_id AND m.id = edge.memory_id
            WHERE edge.relation <> 'supersedes' AND m.status IN ('active', 'pending')
        )
    $$;
    COMMENT ON FUNCTION memories_is_needed IS
        'Whether a memory, or one that would go with it, is on hold or is evidence of one that is believed.';
    REVOKE ALL ON FUNCTION memories_is_needed FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION memories_is_needed TO mneme_tenant, mneme_eraser;
    CREATE POLICY forgotten ON memories_memory TO mneme_eraser
        USING (status = 'archived' AND NOT on_hold AND NOT memories_is_needed(id));
    CREATE INDEX memory_archived ON memories_memory (tenant_id, closed_at) WHERE status = 'archived';
"""
NOT_FORGETTABLE = """
    DROP INDEX memory_archived;
    DROP POLICY forgotten ON memories_memory;
    DROP FUNCTION memories_is_needed;
"""

FIGURES = """
    CREATE FUNCTION memories_growth_figures() RETURNS TABLE (memory_type varchar, status varchar, memories bigint)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        SELECT memory_type, status, count(*) FROM public.memories_memory GROUP BY 1, 2
    $$;
    COMMENT ON FUNCTION memories_growth_figures IS 'Counts over all tenants, which know no tenant.';
    REVOKE ALL ON FUNCTION memories_growth_figures FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION memories_growth_figures TO mneme_web, mneme_worker;
"""


class Migration(migrations.Migration):
    dependencies = [("memories", "0021_archived")]
    operations = [
        migrations.RunSQL(VECTORS, NO_VECTORS),
        migrations.RunSQL(FORGETTABLE, NOT_FORGETTABLE),
        migrations.RunSQL(FIGURES, "DROP FUNCTION memories_growth_figures;"),
    ]
