"""Rows never reopen; versions and outbox of the newer kinds."""

from django.db import migrations

GUARD = """
    CREATE FUNCTION memories_guard_memory() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        changeable CONSTANT text[] := ARRAY['version', 'doc_version', 'context', 'status', 'closed_at', 'accepted_at',
            'superseded_by_id', 'contradiction', 'ended_at', 'frequency', 'rebuild_due_at', 'on_hold', 'agent_id',
            'entity_id', 'restores_id'];
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
    CREATE TRIGGER guard BEFORE UPDATE ON memories_memory FOR EACH ROW EXECUTE FUNCTION memories_guard_memory();

    CREATE OR REPLACE FUNCTION memories_stamp_memory() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
        unseen CONSTANT text[] := ARRAY['version', 'doc_version', 'context', 'rebuild_due_at'];
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
OUTBOX = """
    CREATE OR REPLACE FUNCTION memories_note_outbox() RETURNS trigger
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
            (id, tenant_id, subject_id, kind, object_id, doc_version, created_at, due_at, attempts, error,
             awaiting_vector)
        VALUES (gen_random_uuid(), noted.tenant_id, noted.subject_id, noted.memory_type, noted.id, noted_version,
                now(), now(), 0, '', false)
        ON CONFLICT (tenant_id, kind, object_id) DO UPDATE
            SET doc_version = EXCLUDED.doc_version, due_at = EXCLUDED.due_at, claimed_until = NULL, attempts = 0,
                applied_at = NULL, error = '', awaiting_vector = false
            WHERE held.doc_version < EXCLUDED.doc_version;
        RETURN NULL;
    END $$;
"""
UNGUARD = "DROP TRIGGER guard ON memories_memory; DROP FUNCTION memories_guard_memory;"

GENERIC = """
    CREATE FUNCTION memories_stamp() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
        unseen CONSTANT text[] := ARRAY['version', 'doc_version'];
    BEGIN
        IF TG_OP = 'INSERT' OR (to_jsonb(NEW) - unseen) IS DISTINCT FROM (to_jsonb(OLD) - unseen) THEN
            NEW.version := nextval('public.memories_version_seq');
            NEW.doc_version := NEW.version;
        ELSIF NEW.doc_version IS DISTINCT FROM OLD.doc_version THEN
            NEW.version := OLD.version;
            NEW.doc_version := nextval('public.memories_version_seq');
        ELSE
            NEW.version := OLD.version;
        END IF;
        RETURN NEW;
    END $$;

    -- Arguments: the table of the rows that vectors belong to, and the vector's column that says which.
    CREATE FUNCTION memories_touch() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
        row_of jsonb := CASE WHEN TG_OP = 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
    BEGIN
        EXECUTE format('UPDATE public.%I SET doc_version = doc_version + 1 WHERE id = $1', TG_ARGV[0])
            USING (row_of ->> TG_ARGV[1])::uuid;
        RETURN NULL;
    END $$;

    -- What a row says has changed, so its vectors say something else. Arguments as above, the vectors' table first.
    CREATE FUNCTION memories_drop_vectors() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
        EXECUTE format('DELETE FROM public.%I WHERE %I = $1', TG_ARGV[0], TG_ARGV[1]) USING NEW.id;
        RETURN NULL;
    END $$;

    -- An entity's name is a part of what its relations and memories are found by.
    CREATE FUNCTION memories_entity_renamed() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
        DELETE FROM public.memories_relationvector v USING public.memories_relation r
            WHERE v.relation_id = r.id AND NEW.id IN (r.subject_entity_id, r.object_entity_id);
        DELETE FROM public.memories_memoryvector v USING public.memories_memory m
            WHERE v.memory_id = m.id AND m.entity_id = NEW.id;
        UPDATE public.memories_relation SET doc_version = doc_version + 1
            WHERE NEW.id IN (subject_entity_id, object_entity_id);
        UPDATE public.memories_memory SET doc_version = doc_version + 1 WHERE entity_id = NEW.id;
        RETURN NULL;
    END $$;

    -- Argument: the kind of the rows.
    CREATE FUNCTION memories_note_outbox_of_kind() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
        noted record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
        noted_version bigint := noted.doc_version;
    BEGIN
        IF TG_OP = 'DELETE' THEN
            noted_version := nextval('public.memories_version_seq');
            IF NOT EXISTS (SELECT FROM public.tenants_tenant WHERE id = noted.tenant_id) THEN
                RETURN NULL;
            END IF;
        END IF;
        INSERT INTO public.memories_outboxentry AS held
            (id, tenant_id, subject_id, kind, object_id, doc_version, created_at, due_at, attempts, error,
             awaiting_vector)
        VALUES (gen_random_uuid(), noted.tenant_id, noted.subject_id, TG_ARGV[0], noted.id, noted_version,
                now(), now(), 0, '', false)
        ON CONFLICT (tenant_id, kind, object_id) DO UPDATE
            SET doc_version = EXCLUDED.doc_version, due_at = EXCLUDED.due_at, claimed_until = NULL, attempts = 0,
                applied_at = NULL, error = '', awaiting_vector = false
            WHERE held.doc_version < EXCLUDED.doc_version;
        RETURN NULL;
    END $$;
"""
KINDS = (
    # kind, table, its vectors' table, their column
    ("entity", "memories_entity", "memories_entityvector", "entity_id"),
    ("relation", "memories_relation", "memories_relationvector", "relation_id"),
    ("catalog", "memories_catalogdocument", "memories_catalogvector", "document_id"),
)


def follow(kind: str, table: str, vectors: str, column: str) -> str:
    return f"""
        CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION memories_stamp();
        CREATE TRIGGER touch AFTER INSERT OR UPDATE OR DELETE ON {vectors}
            FOR EACH ROW EXECUTE FUNCTION memories_touch('{table}', '{column}');
        CREATE TRIGGER outbox AFTER INSERT OR DELETE ON {table}
            FOR EACH ROW EXECUTE FUNCTION memories_note_outbox_of_kind('{kind}');
        CREATE TRIGGER outbox_update AFTER UPDATE ON {table} FOR EACH ROW
            WHEN (NEW.doc_version IS DISTINCT FROM OLD.doc_version)
            EXECUTE FUNCTION memories_note_outbox_of_kind('{kind}');
        CREATE TRIGGER revectored AFTER UPDATE ON {table} FOR EACH ROW
            WHEN (NEW.version IS DISTINCT FROM OLD.version)
            EXECUTE FUNCTION memories_drop_vectors('{vectors}', '{column}');
    """


RENAMED = """
    CREATE TRIGGER renamed AFTER UPDATE ON memories_entity FOR EACH ROW
        WHEN (NEW.name IS DISTINCT FROM OLD.name) EXECUTE FUNCTION memories_entity_renamed();
"""


def unfollow(table: str, vectors: str) -> str:
    return f"""
        DROP TRIGGER stamp ON {table}; DROP TRIGGER outbox ON {table}; DROP TRIGGER outbox_update ON {table};
        DROP TRIGGER revectored ON {table}; DROP TRIGGER touch ON {vectors};
    """


class Migration(migrations.Migration):
    dependencies = [("memories", "0005_walls")]
    operations = [
        migrations.RunSQL(GUARD, UNGUARD),
        migrations.RunSQL(OUTBOX, migrations.RunSQL.noop),
        migrations.RunSQL(
            GENERIC,
            "DROP FUNCTION memories_stamp, memories_touch, memories_drop_vectors, memories_entity_renamed,"
            " memories_note_outbox_of_kind;",
        ),
        migrations.RunSQL(
            "".join(follow(*kind) for kind in KINDS),
            "".join(unfollow(table, vectors) for _, table, vectors, _ in KINDS),
        ),
        migrations.RunSQL(RENAMED, "DROP TRIGGER renamed ON memories_entity;"),
    ]
