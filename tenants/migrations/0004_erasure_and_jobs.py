"""The barrier of an erasure, the rights of the eraser, and the wall of jobs."""

from django.db import migrations

TENANT = "nullif(current_setting('app.tenant_id', true), '')::uuid"
SUBJECT = "nullif(current_setting('app.subject_id', true), '')::uuid"
NO_SUBJECT = "nullif(current_setting('app.subject_id', true), '') IS NULL"
OWN = f"tenant_id = {TENANT} AND ({NO_SUBJECT} OR id = {SUBJECT})"

FORWARD = f"""
    ALTER POLICY tenant ON tenants_subject USING ({OWN} AND erased_at IS NULL) WITH CHECK ({OWN});
    CREATE INDEX subject_erased ON tenants_subject (tenant_id) WHERE erased_at IS NOT NULL;

    CREATE FUNCTION tenants_erasing() RETURNS SETOF uuid
        LANGUAGE sql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, pg_temp
        AS $$ SELECT id FROM public.tenants_subject
              WHERE tenant_id = {TENANT} AND erased_at IS NOT NULL $$;
    COMMENT ON FUNCTION tenants_erasing IS 'Subjects whose rows are going: every policy on their rows leaves them out.';
    CREATE FUNCTION tenants_begin_erasure(wanted uuid, at timestamptz) RETURNS boolean
        LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
        AS $$ UPDATE public.tenants_subject SET erased_at = at
              WHERE id = wanted AND {OWN} AND erased_at IS NULL RETURNING true $$;
    REVOKE ALL ON FUNCTION tenants_erasing, tenants_begin_erasure FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION tenants_erasing, tenants_begin_erasure TO mneme_tenant;

    CREATE POLICY eraser ON tenants_subject TO mneme_eraser USING (erased_at IS NOT NULL);
    GRANT SELECT, DELETE ON tenants_subject TO mneme_eraser;

    ALTER TABLE tenants_job ADD CONSTRAINT job_of_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenants_tenant (id) ON DELETE CASCADE;
    ALTER TABLE tenants_job ENABLE ROW LEVEL SECURITY;
    ALTER TABLE tenants_job FORCE ROW LEVEL SECURITY;
    CREATE POLICY tenant ON tenants_job TO mneme_tenant USING (tenant_id = {TENANT} AND {NO_SUBJECT});
    CREATE POLICY operator ON tenants_job TO mneme_operator USING (true) WITH CHECK (true);
    CREATE POLICY owner ON tenants_job TO mneme_owner USING (true) WITH CHECK (true);
    GRANT SELECT, INSERT ON tenants_job TO mneme_tenant;
    GRANT SELECT, UPDATE ON tenants_job TO mneme_operator;
"""

REVERSE = f"""
    ALTER POLICY tenant ON tenants_subject USING ({OWN}) WITH CHECK ({OWN});
    DROP INDEX subject_erased;
    DROP POLICY eraser ON tenants_subject;
    REVOKE ALL ON tenants_subject FROM mneme_eraser;
    DROP FUNCTION tenants_erasing, tenants_begin_erasure;
    ALTER TABLE tenants_job DROP CONSTRAINT job_of_tenant;
    DROP POLICY tenant ON tenants_job; DROP POLICY operator ON tenants_job; DROP POLICY owner ON tenants_job;
    REVOKE ALL ON tenants_job FROM mneme_tenant, mneme_operator;
"""


class Migration(migrations.Migration):
    dependencies = [("tenants", "0003_change_and_see")]
    operations = [migrations.RunSQL(FORWARD, REVERSE)]
