"""Dead letters: what the engine or the embedder will not take is set aside until its row changes or somebody retries."""

from django.db import migrations, models

REVIVE = """
    -- A later change of the row is another document: it gets its chance, whatever became of the one before.
    CREATE FUNCTION memories_revive_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF OLD.dead_at IS NOT NULL THEN
            NEW.created_at := now();
        END IF;
        NEW.dead_at := NULL;
        NEW.failures := 0;
        RETURN NEW;
    END $$;
    CREATE TRIGGER revive BEFORE UPDATE ON memories_outboxentry FOR EACH ROW
        WHEN (NEW.doc_version IS DISTINCT FROM OLD.doc_version) EXECUTE FUNCTION memories_revive_outbox();

    -- All that a tenant's own scope may change in its outbox: dead letters become due again.
    CREATE FUNCTION memories_retry_dead_letters(of_kind text, of_ids uuid[]) RETURNS bigint
        LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        WITH retried AS (
            UPDATE public.memories_outboxentry
            SET dead_at = NULL, failures = 0, attempts = 0, error = '', due_at = now(), claimed_until = NULL
            WHERE tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid
                AND nullif(current_setting('app.subject_id', true), '') IS NULL
                AND dead_at IS NOT NULL
                AND (of_kind IS NULL OR kind = of_kind) AND (of_ids IS NULL OR id = ANY (of_ids))
            RETURNING id)
        SELECT count(*) FROM retried
    $$;
    REVOKE ALL ON FUNCTION memories_retry_dead_letters FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION memories_retry_dead_letters TO mneme_tenant;

    -- How sync stands over all tenants: counts and no more, for probes and metrics, which know no tenant.
    CREATE FUNCTION memories_sync_figures(OUT pending bigint, OUT oldest_s double precision,
            OUT awaiting_vector bigint, OUT dead_letters bigint, OUT unsealed bigint, OUT sealer_lag_s double precision)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        SELECT o.*, e.* FROM (
            SELECT count(*) FILTER (WHERE dead_at IS NULL),
                coalesce(extract(epoch FROM now() - min(created_at) FILTER (WHERE dead_at IS NULL)), 0),
                count(*) FILTER (WHERE dead_at IS NULL AND awaiting_vector AND applied_at IS NULL),
                count(*) FILTER (WHERE dead_at IS NOT NULL)
            FROM public.memories_outboxentry
        ) o CROSS JOIN (
            SELECT count(*), coalesce(extract(epoch FROM now() - min(at)), 0) FROM public.tenants_event
            WHERE seq IS NULL
        ) e
    $$;
    REVOKE ALL ON FUNCTION memories_sync_figures FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION memories_sync_figures TO mneme_web, mneme_worker;
"""
UNREVIVE = """
    DROP FUNCTION memories_sync_figures;
    DROP FUNCTION memories_retry_dead_letters;
    DROP TRIGGER revive ON memories_outboxentry; DROP FUNCTION memories_revive_outbox;
"""


class Migration(migrations.Migration):
    dependencies = [("memories", "0012_compartment_walls")]
    operations = [
        migrations.AlterModelOptions("outboxentry", {"verbose_name": "dead letter"}),
        migrations.AddField("outboxentry", "dead_at", models.DateTimeField(null=True)),
        migrations.AddField("outboxentry", "failures", models.PositiveSmallIntegerField(db_default=0)),
        migrations.RemoveIndex("outboxentry", "outbox_due"),
        migrations.AddIndex(
            "outboxentry",
            models.Index(
                fields=["awaiting_vector", "tenant", "due_at", "id"],
                condition=models.Q(("applied_at__isnull", True), ("dead_at__isnull", True)),
                name="outbox_waiting",
            ),
        ),
        migrations.AddIndex(
            "outboxentry",
            models.Index(fields=["tenant"], condition=models.Q(("dead_at__isnull", False)), name="outbox_dead"),
        ),
        migrations.RunSQL(REVIVE, UNREVIVE),
    ]
