"""Constraints Django cannot express, row-level security, and the append-only event log."""

from django.db import migrations

TENANT = "nullif(current_setting('app.tenant_id', true), '')::uuid"
SUBJECT = "nullif(current_setting('app.subject_id', true), '')::uuid"
NO_SUBJECT = "nullif(current_setting('app.subject_id', true), '') IS NULL"


def walls(table: str, *, using: str, check: str | None = None) -> str:
    """Return SQL that forces row-level security on a table: tenant scopes, the operator, and cascades."""
    return f"""
        ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
        ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
        CREATE POLICY tenant ON {table} TO mneme_tenant USING ({using}) WITH CHECK ({check or using});
        CREATE POLICY operator ON {table} TO mneme_operator USING (true) WITH CHECK (true);
        CREATE POLICY owner ON {table} TO mneme_owner USING (true) WITH CHECK (true);
    """


FORWARD = (
    """
    ALTER TABLE tenants_subject ADD CONSTRAINT subject_of_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenants_tenant (id) ON DELETE CASCADE;
    ALTER TABLE tenants_apikey ADD CONSTRAINT api_key_of_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenants_tenant (id) ON DELETE CASCADE;
    ALTER TABLE tenants_apikey ADD CONSTRAINT api_key_of_subject
        FOREIGN KEY (tenant_id, subject_id) REFERENCES tenants_subject (tenant_id, id) ON DELETE CASCADE;
    ALTER TABLE tenants_enginecredential ADD CONSTRAINT engine_credential_of_api_key
        FOREIGN KEY (tenant_id, api_key_id) REFERENCES tenants_apikey (tenant_id, id) ON DELETE CASCADE;
    ALTER TABLE tenants_enginecredential ADD CONSTRAINT engine_credential_of_subject
        FOREIGN KEY (tenant_id, subject_id) REFERENCES tenants_subject (tenant_id, id) ON DELETE CASCADE;
    CREATE INDEX engine_credential_subject ON tenants_enginecredential (tenant_id, subject_id);
    CREATE INDEX api_key_subject ON tenants_apikey (tenant_id, subject_id);
    """
    + walls("tenants_tenant", using=f"id = {TENANT}")
    + walls("tenants_subject", using=f"tenant_id = {TENANT} AND ({NO_SUBJECT} OR id = {SUBJECT})")
    + walls(
        "tenants_apikey",
        using=f"tenant_id = {TENANT} AND ({NO_SUBJECT} OR subject_id IS NULL OR subject_id = {SUBJECT})",
        check=f"tenant_id = {TENANT} AND ({NO_SUBJECT} OR subject_id = {SUBJECT})",
    )
    # A subject's scope may not even see the encrypted credential that reaches every subject.
    + walls("tenants_enginecredential", using=f"tenant_id = {TENANT} AND ({NO_SUBJECT} OR subject_id = {SUBJECT})")
    + f"""
        ALTER TABLE tenants_event ENABLE ROW LEVEL SECURITY;
        ALTER TABLE tenants_event FORCE ROW LEVEL SECURITY;
        CREATE POLICY tenant_insert ON tenants_event FOR INSERT TO mneme_tenant WITH CHECK (tenant_id = {TENANT});
        CREATE POLICY tenant_select ON tenants_event FOR SELECT TO mneme_tenant
            USING (tenant_id = {TENANT} AND {NO_SUBJECT});
        CREATE POLICY operator ON tenants_event TO mneme_operator USING (true) WITH CHECK (true);
        CREATE POLICY owner ON tenants_event TO mneme_owner USING (true) WITH CHECK (true);
    """
    """
    GRANT SELECT, INSERT ON tenants_tenant, tenants_subject TO mneme_tenant;
    GRANT SELECT, INSERT, UPDATE (revoked_at) ON tenants_apikey TO mneme_tenant;
    GRANT SELECT, INSERT, DELETE ON tenants_enginecredential TO mneme_tenant;
    GRANT SELECT, INSERT ON tenants_event TO mneme_tenant;
    GRANT SELECT ON tenants_tenant, tenants_subject, tenants_apikey, tenants_enginecredential TO mneme_operator;
    GRANT SELECT, INSERT ON tenants_event TO mneme_operator;

    CREATE FUNCTION tenants_find_key(wanted text) RETURNS SETOF tenants_apikey
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
        AS $$ SELECT * FROM public.tenants_apikey WHERE prefix = wanted $$;
    COMMENT ON FUNCTION tenants_find_key IS 'The one look-up that happens before the tenant is known.';
    CREATE FUNCTION tenants_find_tenant(wanted text) RETURNS uuid
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
        AS $$ SELECT id FROM public.tenants_tenant WHERE slug = wanted $$;
    COMMENT ON FUNCTION tenants_find_tenant IS 'For management commands, which name a tenant by its slug.';
    REVOKE ALL ON FUNCTION tenants_find_key, tenants_find_tenant FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION tenants_find_key TO mneme_web, mneme_worker;
    GRANT EXECUTE ON FUNCTION tenants_find_tenant TO mneme_worker;

    CREATE FUNCTION tenants_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'DELETE' AND current_user IN ('mneme_eraser', 'mneme_owner') THEN
            RETURN OLD;
        END IF;
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
    END $$;
    CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON tenants_event
        FOR EACH ROW EXECUTE FUNCTION tenants_refuse_change();
    """
)

REVERSE = """
    DROP TRIGGER append_only ON tenants_event;
    DROP FUNCTION tenants_refuse_change, tenants_find_key, tenants_find_tenant;
    DROP POLICY tenant_insert ON tenants_event; DROP POLICY tenant_select ON tenants_event;
    ALTER TABLE tenants_subject DROP CONSTRAINT subject_of_tenant;
    ALTER TABLE tenants_enginecredential DROP CONSTRAINT engine_credential_of_api_key,
        DROP CONSTRAINT engine_credential_of_subject;
    ALTER TABLE tenants_apikey DROP CONSTRAINT api_key_of_tenant, DROP CONSTRAINT api_key_of_subject;
    DROP INDEX engine_credential_subject; DROP INDEX api_key_subject;
""" + "".join(
    (f"DROP POLICY tenant ON {table};" if table != "tenants_event" else "")
    + f"""
    DROP POLICY operator ON {table}; DROP POLICY owner ON {table};
    ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY; ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
    REVOKE ALL ON {table} FROM mneme_tenant, mneme_operator;
    """
    for table in (
        "tenants_tenant",
        "tenants_subject",
        "tenants_apikey",
        "tenants_enginecredential",
        "tenants_event",
    )
)


class Migration(migrations.Migration):
    dependencies = [("tenants", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, REVERSE)]
