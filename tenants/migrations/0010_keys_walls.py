"""Walls of templates and offboardings; notes on keys that wait for nobody; the site's own events; suspension."""

from django.db import migrations

TENANT = "nullif(current_setting('app.tenant_id', true), '')::uuid"
NO_SUBJECT = "nullif(current_setting('app.subject_id', true), '') IS NULL"

# A key of one user may issue by a template, and change none.
TEMPLATES = f"""
    ALTER TABLE tenants_keytemplate ADD CONSTRAINT key_template_of_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenants_tenant (id) ON DELETE CASCADE;
    ALTER TABLE tenants_keytemplate ENABLE ROW LEVEL SECURITY;
    ALTER TABLE tenants_keytemplate FORCE ROW LEVEL SECURITY;
    CREATE POLICY tenant ON tenants_keytemplate FOR SELECT TO mneme_tenant USING (tenant_id = {TENANT});
    CREATE POLICY tenant_writes ON tenants_keytemplate TO mneme_tenant
        USING (tenant_id = {TENANT} AND {NO_SUBJECT}) WITH CHECK (tenant_id = {TENANT} AND {NO_SUBJECT});
    CREATE POLICY operator ON tenants_keytemplate TO mneme_operator USING (true) WITH CHECK (true);
    CREATE POLICY owner ON tenants_keytemplate TO mneme_owner USING (true) WITH CHECK (true);
    GRANT SELECT, INSERT, UPDATE, DELETE ON tenants_keytemplate TO mneme_tenant;
"""
NO_TEMPLATES = """
    REVOKE ALL ON tenants_keytemplate FROM mneme_tenant;
    DROP POLICY tenant ON tenants_keytemplate; DROP POLICY tenant_writes ON tenants_keytemplate;
    DROP POLICY operator ON tenants_keytemplate; DROP POLICY owner ON tenants_keytemplate;
    ALTER TABLE tenants_keytemplate NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE tenants_keytemplate DISABLE ROW LEVEL SECURITY;
    ALTER TABLE tenants_keytemplate DROP CONSTRAINT key_template_of_tenant;
"""

# The update passes a row by that somebody else holds: a note of use never waits.
KEYS = f"""
    CREATE FUNCTION tenants_touch_key(wanted uuid, at timestamptz, seldom interval) RETURNS boolean
        LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
        AS $$
            WITH held AS (
                SELECT id, last_used_at FROM public.tenants_apikey
                WHERE id = wanted AND tenant_id = {TENANT} AND (last_used_at IS NULL OR last_used_at < at - seldom)
                FOR NO KEY UPDATE SKIP LOCKED
            )
            UPDATE public.tenants_apikey AS key SET last_used_at = at FROM held WHERE key.id = held.id
            RETURNING held.last_used_at IS NULL
                OR (held.last_used_at AT TIME ZONE 'UTC')::date < (at AT TIME ZONE 'UTC')::date
        $$;
    COMMENT ON FUNCTION tenants_touch_key IS 'Note that a key was used: true = first of the day, null = noted lately.';
    REVOKE ALL ON FUNCTION tenants_touch_key FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION tenants_touch_key TO mneme_tenant;
    GRANT UPDATE (revoked_at) ON tenants_apikey TO mneme_operator;
    GRANT DELETE ON tenants_enginecredential TO mneme_operator;
"""
NO_KEYS = """
    REVOKE UPDATE (revoked_at) ON tenants_apikey FROM mneme_operator;
    REVOKE DELETE ON tenants_enginecredential FROM mneme_operator;
    DROP FUNCTION tenants_touch_key;
"""

SITE = """
    CREATE FUNCTION tenants_note_site_event(
        event_id uuid, kind text, at timestamptz, actor text, request_id text, object_ids uuid[], data jsonb
    ) RETURNS void
        LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
        AS $$
            INSERT INTO public.tenants_event
                (id, tenant_id, kind, schema_version, at, actor, request_id, purpose, object_ids, data)
            VALUES ($1, NULL, $2, 1, $3, $4, $5, '', $6, $7)
        $$;
    COMMENT ON FUNCTION tenants_note_site_event IS 'An event of no tenant: the only way for a login outside a scope.';
    CREATE FUNCTION tenants_suspended_at(wanted uuid) RETURNS timestamptz
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
        AS $$ SELECT suspended_at FROM public.tenants_tenant WHERE id = wanted $$;
    COMMENT ON FUNCTION tenants_suspended_at IS 'Asked with the look-up of a key, before a scope is open.';
    REVOKE ALL ON FUNCTION tenants_note_site_event, tenants_suspended_at FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION tenants_note_site_event, tenants_suspended_at TO mneme_web, mneme_worker;
    GRANT UPDATE (suspended_at, offboarding_at) ON tenants_tenant TO mneme_operator;
"""
NO_SITE = """
    REVOKE UPDATE (suspended_at, offboarding_at) ON tenants_tenant FROM mneme_operator;
    DROP FUNCTION tenants_note_site_event, tenants_suspended_at;
"""


def find_memberships(more: str, column: str) -> str:
    """Return the function that finds where a user may go; the earlier one knew of no suspension."""
    return f"""
    DROP FUNCTION tenants_find_memberships;
    CREATE FUNCTION tenants_find_memberships(wanted integer)
        RETURNS TABLE (id uuid, tenant_id uuid, user_id integer, role varchar, created_at timestamptz,
                       slug varchar, name varchar{more})
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
        AS $$
            SELECT m.id, m.tenant_id, m.user_id, m.role, m.created_at, t.slug, t.name{column}
            FROM public.tenants_membership m JOIN public.tenants_tenant t ON t.id = m.tenant_id
            WHERE m.user_id = wanted ORDER BY t.slug
        $$;
    COMMENT ON FUNCTION tenants_find_memberships IS 'Where a signed-in user may go, before a tenant is chosen.';
    REVOKE ALL ON FUNCTION tenants_find_memberships FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION tenants_find_memberships TO mneme_web, mneme_worker;
    """


# What counts and what erases asks the catalogue for tables, so that a new one joins by itself.
OFFBOARDING = """
    ALTER TABLE tenants_offboarding ENABLE ROW LEVEL SECURITY;
    ALTER TABLE tenants_offboarding FORCE ROW LEVEL SECURITY;
    CREATE POLICY operator ON tenants_offboarding TO mneme_operator USING (true) WITH CHECK (true);
    CREATE POLICY owner ON tenants_offboarding TO mneme_owner USING (true) WITH CHECK (true);
    GRANT SELECT, INSERT, UPDATE ON tenants_offboarding TO mneme_operator;

    CREATE FUNCTION tenants_offboarding_ids() RETURNS SETOF uuid
        LANGUAGE sql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, pg_temp
        AS $$ SELECT id FROM public.tenants_tenant WHERE offboarding_at IS NOT NULL $$;
    COMMENT ON FUNCTION tenants_offboarding_ids IS 'Tenants on their way out: the eraser may delete their rows.';
    CREATE FUNCTION tenants_count_rows(wanted uuid) RETURNS TABLE (held_in text, held bigint)
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
        AS $$
        DECLARE
            one record;
        BEGIN
            FOR one IN
                SELECT c.relname, CASE c.relname WHEN 'tenants_tenant' THEN 'id' ELSE 'tenant_id' END AS key
                FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                    AND c.relname NOT IN ('tenants_event', 'tenants_chainhead', 'tenants_offboarding')
                    AND (c.relname = 'tenants_tenant' OR EXISTS (
                        SELECT FROM pg_attribute a
                        WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped))
                ORDER BY c.relname
            LOOP
                held_in := one.relname;
                EXECUTE format('SELECT count(*) FROM public.%I WHERE %I = $1', one.relname, one.key)
                    INTO held USING wanted;
                RETURN NEXT;
            END LOOP;
        END $$;
    COMMENT ON FUNCTION tenants_count_rows IS 'Rows of a tenant by table, but for the event log, which stays.';
    REVOKE ALL ON FUNCTION tenants_offboarding_ids, tenants_count_rows FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION tenants_offboarding_ids TO mneme_eraser;
    GRANT EXECUTE ON FUNCTION tenants_count_rows TO mneme_operator;

    ALTER POLICY eraser ON tenants_subject
        USING (erased_at IS NOT NULL OR tenant_id IN (SELECT tenants_offboarding_ids()));
    CREATE POLICY eraser ON tenants_apikey TO mneme_eraser USING (tenant_id IN (SELECT tenants_offboarding_ids()));
    CREATE POLICY eraser ON tenants_tenant TO mneme_eraser USING (offboarding_at IS NOT NULL);
    GRANT SELECT, DELETE ON tenants_apikey, tenants_tenant TO mneme_eraser;
"""
NO_OFFBOARDING = """
    REVOKE ALL ON tenants_apikey, tenants_tenant FROM mneme_eraser;
    DROP POLICY eraser ON tenants_tenant; DROP POLICY eraser ON tenants_apikey;
    ALTER POLICY eraser ON tenants_subject USING (erased_at IS NOT NULL);
    DROP FUNCTION tenants_offboarding_ids, tenants_count_rows;
    REVOKE ALL ON tenants_offboarding FROM mneme_operator;
    DROP POLICY operator ON tenants_offboarding; DROP POLICY owner ON tenants_offboarding;
    ALTER TABLE tenants_offboarding NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE tenants_offboarding DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("tenants", "0009_keys")]
    operations = [
        migrations.RunSQL(TEMPLATES, NO_TEMPLATES),
        migrations.RunSQL(KEYS, NO_KEYS),
        migrations.RunSQL(SITE, NO_SITE),
        migrations.RunSQL(
            find_memberships(", suspended_at timestamptz", ", t.suspended_at"), find_memberships("", "")
        ),
        migrations.RunSQL(OFFBOARDING, NO_OFFBOARDING),
    ]
