"""The archive never changes; versions are stamped and the outbox is written by the database itself."""

from django.db import migrations

ARCHIVE = """
    CREATE FUNCTION memories_guard_turn() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'DELETE' AND current_user IN ('mneme_eraser', 'mneme_owner') THEN
            RETURN OLD;
        END IF;
        RAISE EXCEPTION 'a turn of the archive never changes' USING ERRCODE = 'insufficient_privilege';
    END $$;
    CREATE TRIGGER archive BEFORE UPDATE OR DELETE ON memories_turn
        FOR EACH ROW EXECUTE FUNCTION memories_guard_turn();
"""

VERSIONS = """
    CREATE SEQUENCE memories_version_seq AS bigint;

    CREATE FUNCTION memories_stamp_memory() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
        unseen CONSTANT text[] := ARRAY['version', 'doc_version', 'context'];
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
    CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON memories_memory
        FOR EACH ROW EXECUTE FUNCTION memories_stamp_memory();

    -- A vector that comes, changes or goes is a change of its memory's document.
    CREATE FUNCTION memories_touch_memory() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
        touched uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.memory_id ELSE NEW.memory_id END;
    BEGIN
        UPDATE public.memories_memory SET doc_version = doc_version + 1 WHERE id = touched;
        RETURN NULL;
    END $$;
    CREATE TRIGGER touch AFTER INSERT OR UPDATE OR DELETE ON memories_memoryvector
        FOR EACH ROW EXECUTE FUNCTION memories_touch_memory();
"""

OUTBOX = """
    CREATE FUNCTION memories_note_outbox() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
        noted record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
        noted_version bigint := noted.doc_version;
    BEGIN
        IF TG_OP = 'DELETE' THEN
            noted_version := nextval('public.memories_version_seq');
            -- A whole tenant on its way out takes its outbox along; its documents are purged by tenant.
            IF NOT EXISTS (SELECT FROM public.tenants_tenant WHERE id = noted.tenant_id) THEN
                RETURN NULL;
            END IF;
        END IF;
        INSERT INTO public.memories_outboxentry AS held
            (id, tenant_id, subject_id, kind, object_id, doc_version, created_at, due_at, attempts, error)
        VALUES (gen_random_uuid(), noted.tenant_id, noted.subject_id, noted.memory_type, noted.id, noted_version,
                now(), now(), 0, '')
        ON CONFLICT (tenant_id, kind, object_id) DO UPDATE
            SET doc_version = EXCLUDED.doc_version, due_at = EXCLUDED.due_at, claimed_until = NULL, attempts = 0,
                applied_at = NULL, error = ''
            WHERE held.doc_version < EXCLUDED.doc_version;
        RETURN NULL;
    END $$;
    CREATE TRIGGER outbox AFTER INSERT OR DELETE ON memories_memory
        FOR EACH ROW EXECUTE FUNCTION memories_note_outbox();
    CREATE TRIGGER outbox_update AFTER UPDATE ON memories_memory
        FOR EACH ROW WHEN (NEW.doc_version IS DISTINCT FROM OLD.doc_version)
        EXECUTE FUNCTION memories_note_outbox();
"""


class Migration(migrations.Migration):
    dependencies = [("memories", "0002_walls")]
    operations = [
        migrations.RunSQL(
            ARCHIVE,
            "DROP TRIGGER archive ON memories_turn; DROP FUNCTION memories_guard_turn;",
        ),
        migrations.RunSQL(
            VERSIONS,
            """
            DROP TRIGGER touch ON memories_memoryvector; DROP TRIGGER stamp ON memories_memory;
            DROP FUNCTION memories_touch_memory; DROP FUNCTION memories_stamp_memory;
            DROP SEQUENCE memories_version_seq;
            """,
        ),
        migrations.RunSQL(
            OUTBOX,
            """
            DROP TRIGGER outbox ON memories_memory; DROP TRIGGER outbox_update ON memories_memory;
            DROP FUNCTION memories_note_outbox;
            """,
        ),
    ]
