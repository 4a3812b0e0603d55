"""Walls of policies: every scope of the tenant reads them, one of the whole tenant adds a version, none changes one."""

from django.db import migrations

TENANT = "nullif(current_setting('app.tenant_id', true), '')::uuid"
NO_SUBJECT = "nullif(current_setting('app.subject_id', true), '') IS NULL"

FORWARD = f"""
    ALTER TABLE tenants_policyversion ADD CONSTRAINT policy_version_of_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenants_tenant (id) ON DELETE CASCADE;
    ALTER TABLE tenants_policyversion ENABLE ROW LEVEL SECURITY;
    ALTER TABLE tenants_policyversion FORCE ROW LEVEL SECURITY;
    CREATE POLICY tenant ON tenants_policyversion FOR SELECT TO mneme_tenant USING (tenant_id = {TENANT});
    CREATE POLICY tenant_writes ON tenants_policyversion FOR INSERT TO mneme_tenant
        WITH CHECK (tenant_id = {TENANT} AND {NO_SUBJECT});
    CREATE POLICY operator ON tenants_policyversion FOR SELECT TO mneme_operator USING (true);
    CREATE POLICY owner ON tenants_policyversion TO mneme_owner USING (true) WITH CHECK (true);
    GRANT SELECT, INSERT ON tenants_policyversion TO mneme_tenant;
    GRANT SELECT ON tenants_policyversion TO mneme_operator;
"""
REVERSE = """
    REVOKE ALL ON tenants_policyversion FROM mneme_tenant, mneme_operator;
    DROP POLICY tenant ON tenants_policyversion; DROP POLICY tenant_writes ON tenants_policyversion;
    DROP POLICY operator ON tenants_policyversion; DROP POLICY owner ON tenants_policyversion;
    ALTER TABLE tenants_policyversion NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE tenants_policyversion DISABLE ROW LEVEL SECURITY;
    ALTER TABLE tenants_policyversion DROP CONSTRAINT policy_version_of_tenant;
"""


class Migration(migrations.Migration):
    dependencies = [("tenants", "0012_policy_version")]
    operations = [migrations.RunSQL(FORWARD, REVERSE)]
