"""Chain heads: written by the sealer, never going back."""

from django.db import migrations, models

import tenants.ids

TENANT = "nullif(current_setting('app.tenant_id', true), '')::uuid"
NO_SUBJECT = "nullif(current_setting('app.subject_id', true), '') IS NULL"

FORWARD = f"""
    ALTER TABLE tenants_chainhead ENABLE ROW LEVEL SECURITY;
    ALTER TABLE tenants_chainhead FORCE ROW LEVEL SECURITY;
    CREATE POLICY tenant ON tenants_chainhead FOR SELECT TO mneme_tenant USING (tenant_id = {TENANT} AND {NO_SUBJECT});
    CREATE POLICY operator ON tenants_chainhead TO mneme_operator USING (true) WITH CHECK (true);
    CREATE POLICY owner ON tenants_chainhead TO mneme_owner USING (true) WITH CHECK (true);
    GRANT SELECT ON tenants_chainhead TO mneme_tenant;
    GRANT SELECT, INSERT, UPDATE (seq, hash, sealed_at) ON tenants_chainhead TO mneme_operator;

    CREATE FUNCTION tenants_guard_head() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.seq > OLD.seq AND NEW.tenant_id IS NOT DISTINCT FROM OLD.tenant_id THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'a chain never goes back' USING ERRCODE = 'insufficient_privilege';
    END $$;
    CREATE TRIGGER forward_only BEFORE UPDATE ON tenants_chainhead
        FOR EACH ROW EXECUTE FUNCTION tenants_guard_head();
"""
REVERSE = """
    DROP TRIGGER forward_only ON tenants_chainhead;
    DROP FUNCTION tenants_guard_head;
    DROP POLICY tenant ON tenants_chainhead; DROP POLICY operator ON tenants_chainhead;
    DROP POLICY owner ON tenants_chainhead;
"""


class Migration(migrations.Migration):
    dependencies = [("tenants", "0007_sealing")]
    operations = [
        migrations.CreateModel(
            name="ChainHead",
            fields=[
                (
                    "id",
                    models.UUIDField(default=tenants.ids.uuid7, editable=False, primary_key=True, serialize=False),
                ),
                ("tenant_id", models.UUIDField(null=True)),
                ("seq", models.BigIntegerField()),
                ("hash", models.BinaryField(max_length=32)),
                ("sealed_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=["tenant_id"], nulls_distinct=False, name="one_head_a_chain")
                ],
            },
        ),
        migrations.RunSQL(FORWARD, REVERSE),
    ]
