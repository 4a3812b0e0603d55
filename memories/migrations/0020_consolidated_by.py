"""Which run has read an episode; a mark that callers and the search engine do not see. A pending memory is accepted."""

from django.db import migrations, models

GUARD = """
    CREATE OR REPLACE FUNCTION memories_guard_memory() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        changeable CONSTANT text[] := ARRAY['version', 'doc_version', 'context', 'status', 'closed_at', 'accepted_at',
            'superseded_by_id', 'contradiction', 'ended_at', 'frequency', 'rebuild_due_at', 'on_hold', 'agent_id',
            'entity_id', 'restores_id'{0}];
    BEGIN
        IF (to_jsonb(NEW) - changeable) IS DISTINCT FROM (to_jsonb(OLD) - changeable) THEN
            RAISE EXCEPTION 'a memory is superseded, never overwritten' USING ERRCODE = 'check_violation';
        END IF;
        IF OLD.closed_at IS NOT NULL AND (NEW.closed_at, NEW.status, NEW.superseded_by_id, NEW.ended_at)
            IS DISTINCT FROM (OLD.closed_at, OLD.status, OLD.superseded_by_id, OLD.ended_at) THEN
            RAISE EXCEPTION 'a closed memory never reopens' USING ERRCODE = 'check_violation';
        END IF;
        IF OLD.accepted_at IS NOT NULL AND NEW.accepted_at IS DISTINCT FROM OLD.accepted_at THEN
            RAISE EXCEPTION 'a memory is accepted once' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
    END $$;
"""
STAMP = """
    CREATE OR REPLACE FUNCTION memories_stamp_memory() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
        unseen CONSTANT text[] := ARRAY['version', 'doc_version', 'context', 'rebuild_due_at'{0}];
    BEGIN
        IF TG_OP = 'INSERT' OR (to_jsonb(NEW) - unseen) IS DISTINCT FROM (to_jsonb(OLD) - unseen) THEN
            NEW.version := nextval('public.memories_version_seq');
            NEW.doc_version := NEW.version;
        ELSIF NEW.context IS DISTINCT FROM OLD.context OR NEW.doc_version IS DISTINCT FROM OLD.doc_version THEN
            NEW.version := OLD.version;
            NEW.doc_version := nextval('public.memories_version_seq');
        ELSE
            NEW.version := OLD.version;
        END IF;
        RETURN NEW;
    END $$;
"""
MARK = ", 'consolidated_by'"


class Migration(migrations.Migration):
    dependencies = [("memories", "0019_sources_in_documents"), ("tenants", "0011_seed_templates")]
    operations = [
        migrations.AddField(model_name="memory", name="consolidated_by", field=models.UUIDField(null=True)),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(
                    ("consolidated_by__isnull", True), ("memory_type", "episodic"), ("status", "active")
                ),
                fields=["tenant", "subject"],
                name="episode_to_consolidate",
            ),
        ),
        migrations.RunSQL(GUARD.format(MARK) + STAMP.format(MARK), GUARD.format("") + STAMP.format("")),
        migrations.RunSQL(
            "GRANT UPDATE (consolidated_by, accepted_at) ON memories_memory TO mneme_tenant;",
            "REVOKE UPDATE (consolidated_by, accepted_at) ON memories_memory FROM mneme_tenant;",
        ),
    ]
