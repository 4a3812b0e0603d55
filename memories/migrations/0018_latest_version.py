"""The latest version of what a scope can see, by an index: what is kept of an engine's answer is good until it changes."""

from django.db import migrations

TABLES = ("memories_memory", "memories_entity", "memories_relation")
CATALOG = "memories_catalogdocument"


def index(table: str) -> str:
    name = table.removeprefix("memories_")
    return f"""
        CREATE INDEX {name}_latest ON {table} (tenant_id, doc_version);
        CREATE INDEX {name}_latest_of_subject ON {table} (tenant_id, subject_id, doc_version);
    """


def latest(table: str) -> str:
    newest = f"SELECT max(doc_version) FROM public.{table} WHERE tenant_id = tenant"
    return f"""
        CASE WHEN subject IS NULL THEN ({newest})
             ELSE greatest(({newest} AND subject_id = subject), ({newest} AND subject_id IS NULL)) END
    """


FORWARD = (
    "".join(map(index, TABLES))
    + f"CREATE INDEX catalogdocument_latest ON {CATALOG} (tenant_id, doc_version);"
    + f"""
    CREATE FUNCTION memories_latest_version(tenant uuid, subject uuid) RETURNS bigint
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        SELECT coalesce(greatest(
            {", ".join(map(latest, TABLES))},
            (SELECT max(doc_version) FROM public.{CATALOG} WHERE tenant_id = tenant)
        ), 0)
        WHERE tenant = nullif(current_setting('app.tenant_id', true), '')::uuid
            AND coalesce(subject = nullif(current_setting('app.subject_id', true), '')::uuid,
                         nullif(current_setting('app.subject_id', true), '') IS NULL)
    $$;
    COMMENT ON FUNCTION memories_latest_version IS
        'Of what the open scope reaches; a number, and none of a tenant or subject that the scope is not of.';
    REVOKE ALL ON FUNCTION memories_latest_version FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION memories_latest_version TO mneme_tenant;
    """
)
REVERSE = "DROP FUNCTION memories_latest_version; DROP INDEX catalogdocument_latest;" + "".join(
    f"DROP INDEX {table.removeprefix('memories_')}_latest, {table.removeprefix('memories_')}_latest_of_subject;"
    for table in TABLES
)


class Migration(migrations.Migration):
    dependencies = [("memories", "0017_recall_log_walls")]
    operations = [migrations.RunSQL(FORWARD, REVERSE)]
