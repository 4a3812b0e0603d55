"""The sealer numbers events: the only change an event ever sees, once, from null."""

from django.db import migrations, models

FORWARD = """
    CREATE OR REPLACE FUNCTION tenants_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        seal CONSTANT text[] := ARRAY['seq', 'prev_hash', 'hash'];
    BEGIN
        IF TG_OP = 'INSERT' THEN
            IF NEW.seq IS NULL AND NEW.prev_hash IS NULL AND NEW.hash IS NULL THEN
                RETURN NEW;
            END IF;
            RAISE EXCEPTION '% is numbered by the sealer', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
        ELSIF TG_OP = 'DELETE' AND current_user IN ('mneme_eraser', 'mneme_owner') THEN
            RETURN OLD;
        ELSIF TG_OP = 'UPDATE' AND current_user = 'mneme_operator'
            AND (to_jsonb(NEW) - seal) = (to_jsonb(OLD) - seal)
            AND (OLD.seq IS NULL OR NEW.seq IS NOT DISTINCT FROM OLD.seq)
            AND (OLD.prev_hash IS NULL OR NEW.prev_hash IS NOT DISTINCT FROM OLD.prev_hash)
            AND (OLD.hash IS NULL OR NEW.hash IS NOT DISTINCT FROM OLD.hash)
        THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
    END $$;
    DROP TRIGGER append_only ON tenants_event;
    CREATE TRIGGER append_only BEFORE INSERT OR UPDATE OR DELETE ON tenants_event
        FOR EACH ROW EXECUTE FUNCTION tenants_refuse_change();
    GRANT UPDATE (seq, prev_hash, hash) ON tenants_event TO mneme_operator;
"""

REVERSE = """
    REVOKE UPDATE (seq, prev_hash, hash) ON tenants_event FROM mneme_operator;
    CREATE OR REPLACE FUNCTION tenants_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'DELETE' AND current_user IN ('mneme_eraser', 'mneme_owner') THEN
            RETURN OLD;
        END IF;
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
    END $$;
    DROP TRIGGER append_only ON tenants_event;
    CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON tenants_event
        FOR EACH ROW EXECUTE FUNCTION tenants_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("tenants", "0006_membership_walls")]
    operations = [
        migrations.AddIndex(
            model_name="event",
            index=models.Index(
                fields=["tenant_id", "at", "id"], condition=models.Q(seq__isnull=True), name="event_unsealed"
            ),
        ),
        migrations.RunSQL(FORWARD, REVERSE),
    ]
