"""The walls of the database, looked at from inside: what this process's login could do without a scope."""

from django.db import connection

_FAULTS = """
WITH login AS (
    SELECT oid, rolsuper, rolbypassrls, rolcreaterole FROM pg_roles WHERE rolname = current_user
), walled AS (
    SELECT c.oid, c.relname, c.relrowsecurity AND c.relforcerowsecurity AS forced, c.relowner
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND (
        (n.nspname = 'public' AND c.relname ~ '^(tenants|memories|consolidation)_')
        OR (n.nspname = 'engine'))
)
SELECT 'the login is a superuser' FROM login WHERE rolsuper
UNION ALL SELECT 'the login may bypass row-level security' FROM login WHERE rolbypassrls
UNION ALL SELECT 'the login may make roles' FROM login WHERE rolcreaterole
UNION ALL SELECT 'the login owns table ' || relname FROM walled, login WHERE relowner = login.oid
UNION ALL SELECT 'row-level security is not forced on table ' || relname FROM walled WHERE NOT forced
UNION ALL SELECT 'the login reaches table ' || relname || ' without a scope' FROM walled
    WHERE has_table_privilege(current_user, walled.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE')
UNION ALL SELECT 'compartments do not restrict table ' || relname FROM walled
    WHERE relname ~ '^(memories|consolidation)_'
        AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = walled.oid AND a.attname = 'compartments')
        AND NOT EXISTS (SELECT FROM pg_policy p
                        WHERE p.polrelid = walled.oid AND p.polname = 'compartments' AND NOT p.polpermissive)
UNION ALL SELECT 'everybody may make temporary tables, and hang functions of the owner on them: revoke TEMPORARY'
    FROM pg_database WHERE datname = current_database() AND has_database_privilege('mneme_tenant', oid, 'TEMPORARY')
UNION ALL SELECT 'everybody may run ' || p.proname || ' with its owner''s rights'
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE p.prosecdef AND n.nspname IN ('public', 'engine')
        AND (p.proname LIKE 'tenants\\_%' OR p.proname LIKE 'memories\\_%' OR n.nspname = 'engine')
        AND EXISTS (SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a WHERE a.grantee = 0)
UNION ALL SELECT 'the login cannot open a scope: it may not become mneme_tenant'
    WHERE NOT pg_has_role(current_user, 'mneme_tenant', 'SET')
"""


class UnsafeLogin(Exception):
    """The database login of this process has rights that row-level security would not stop."""


def wall_faults() -> list[str]:
    """Return what is wrong with the current login or the tables' walls; empty when all stand."""
    with connection.cursor() as cursor:
        cursor.execute(_FAULTS)
        return [row[0] for row in cursor.fetchall()]


def refuse_unsafe_login() -> None:
    """Raise UnsafeLogin, naming every fault, unless the walls stand; called before a process serves anyone."""
    faults = wall_faults()
    if faults:
        raise UnsafeLogin(
            "; ".join(faults) + ". Use the logins mneme_web and mneme_worker; docs/operations.md says how."
        )
