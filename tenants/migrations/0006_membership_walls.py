"""The walls of memberships, and what each login may do with the admin's own tables."""

from django.conf import settings
from django.db import migrations

TENANT = "nullif(current_setting('app.tenant_id', true), '')::uuid"
NO_SUBJECT = "nullif(current_setting('app.subject_id', true), '') IS NULL"

MEMBERSHIP = f"""
    ALTER TABLE tenants_membership ADD CONSTRAINT membership_of_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenants_tenant (id) ON DELETE CASCADE;
    ALTER TABLE tenants_membership ADD CONSTRAINT membership_of_user
        FOREIGN KEY (user_id) REFERENCES auth_user (id) ON DELETE CASCADE;
    CREATE INDEX membership_user ON tenants_membership (user_id);
    ALTER TABLE tenants_membership ENABLE ROW LEVEL SECURITY;
    ALTER TABLE tenants_membership FORCE ROW LEVEL SECURITY;
    CREATE POLICY tenant ON tenants_membership TO mneme_tenant
        USING (tenant_id = {TENANT} AND {NO_SUBJECT}) WITH CHECK (tenant_id = {TENANT} AND {NO_SUBJECT});
    CREATE POLICY operator ON tenants_membership TO mneme_operator USING (true) WITH CHECK (true);
    CREATE POLICY owner ON tenants_membership TO mneme_owner USING (true) WITH CHECK (true);
    GRANT SELECT, INSERT, DELETE, UPDATE (role) ON tenants_membership TO mneme_tenant;

    CREATE FUNCTION tenants_find_memberships(wanted integer)
        RETURNS TABLE (id uuid, tenant_id uuid, user_id integer, role varchar, created_at timestamptz,
                       slug varchar, name varchar)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
        AS $$
            SELECT m.id, m.tenant_id, m.user_id, m.role, m.created_at, t.slug, t.name
            FROM public.tenants_membership m JOIN public.tenants_tenant t ON t.id = m.tenant_id
            WHERE m.user_id = wanted ORDER BY t.slug
        $$;
    COMMENT ON FUNCTION tenants_find_memberships IS 'Where a signed-in user may go, before a tenant is chosen.';
    CREATE FUNCTION tenants_username(wanted integer) RETURNS varchar
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
        AS $$
            SELECT u.username FROM public.auth_user u JOIN public.tenants_membership m ON m.user_id = u.id
            WHERE u.id = wanted AND m.tenant_id = {TENANT}
        $$;
    COMMENT ON FUNCTION tenants_username IS 'The name of a member of the open tenant; of nobody else.';
    REVOKE ALL ON FUNCTION tenants_find_memberships, tenants_username FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION tenants_find_memberships TO mneme_web, mneme_worker;
    GRANT EXECUTE ON FUNCTION tenants_username TO mneme_tenant;
"""
UNDO_MEMBERSHIP = """
    DROP FUNCTION tenants_find_memberships, tenants_username;
    REVOKE ALL ON tenants_membership FROM mneme_tenant;
    DROP POLICY tenant ON tenants_membership; DROP POLICY operator ON tenants_membership;
    DROP POLICY owner ON tenants_membership;
    ALTER TABLE tenants_membership NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE tenants_membership DISABLE ROW LEVEL SECURITY;
    DROP INDEX membership_user;
    ALTER TABLE tenants_membership DROP CONSTRAINT membership_of_user, DROP CONSTRAINT membership_of_tenant;
"""

# Users, sessions and counted failures hold no tenant's data. The admin's own log has no grants at all: what would
# be written there (names of objects) belongs to tenants, and goes to the event log instead.
SITE = """
    GRANT SELECT, INSERT, UPDATE ON auth_user TO mneme_web, mneme_worker;
    GRANT SELECT, INSERT, UPDATE, DELETE ON django_session TO mneme_web;
    GRANT SELECT, DELETE ON django_session TO mneme_worker;
    GRANT SELECT, INSERT, UPDATE, DELETE ON axes_accessattempt, axes_accessattemptexpiration TO mneme_web;
    GRANT SELECT, DELETE ON axes_accessattempt, axes_accessattemptexpiration TO mneme_worker;
    GRANT SELECT ON django_content_type TO mneme_web, mneme_worker, mneme_tenant;
    GRANT UPDATE (expires_at) ON tenants_apikey TO mneme_tenant;
"""
UNDO_SITE = """
    REVOKE UPDATE (expires_at) ON tenants_apikey FROM mneme_tenant;
    REVOKE ALL ON auth_user, django_session, axes_accessattempt, axes_accessattemptexpiration, django_content_type
        FROM mneme_web, mneme_worker, mneme_tenant;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("tenants", "0005_membership"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("axes", "0010_accessattemptexpiration"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("sessions", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.RunSQL(MEMBERSHIP, UNDO_MEMBERSHIP),
        migrations.RunSQL(SITE, UNDO_SITE),
    ]
