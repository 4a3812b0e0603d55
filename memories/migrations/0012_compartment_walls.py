"""Compartments and kinds in the walls of the record.

A scope says in app.compartments and app.kinds, as JSON lists, what it holds; '*' is every one, for what a verb must
close whether its caller sees it or not (tenants.services.open_scope.open_unseen). Unset is none: nothing is shown.
Each setting is read once a statement, in a subquery of its own.
"""

from django.db import migrations

TENANT = "nullif(current_setting('app.tenant_id', true), '')::uuid"
ALL = "(SELECT current_setting('app.{0}', true) = '*')"
LISTED = (
    "ARRAY(SELECT item::varchar FROM jsonb_array_elements_text("
    "nullif(nullif(current_setting('app.{0}', true), ''), '*')::jsonb) AS held (item))"
)
ALL_COMPARTMENTS, COMPARTMENTS = ALL.format("compartments"), LISTED.format("compartments")
ALL_KINDS, KINDS = ALL.format("kinds"), LISTED.format("kinds")

IN_COMPARTMENT = f"(compartments = '{{}}' OR compartments && {COMPARTMENTS} OR {ALL_COMPARTMENTS})"


def of_kind(*kinds: str) -> str:
    listed = ", ".join(f"'{kind}'" for kind in kinds)
    return f"({KINDS} && ARRAY[{listed}]::varchar[] OR {ALL_KINDS})"


# Table -> whose kinds show it; a relation is told by the names of its entities.
KEPT = {
    "memories_session": None,
    "memories_turn": of_kind("episodic"),
    "memories_memory": f"(memory_type = ANY ({KINDS}) OR {ALL_KINDS})",
    "memories_entity": of_kind("entity", "relation"),
    "memories_relation": of_kind("relation"),
    "memories_catalogdocument": of_kind("catalog"),
}
# What hangs on a row is seen by whoever sees that row. A subquery for one value: it can only be looked up by id, never
# be turned into a look at all of the tenant's rows.
HANGING = (
    # table, its column, the row's table
    ("memories_memoryvector", "memory_id", "memories_memory"),
    ("memories_memoryuse", "memory_id", "memories_memory"),
    ("memories_source", "memory_id", "memories_memory"),
    ("memories_procedure", "memory_id", "memories_memory"),
    ("memories_entityvector", "entity_id", "memories_entity"),
    ("memories_relationvector", "relation_id", "memories_relation"),
    ("memories_catalogvector", "document_id", "memories_catalogdocument"),
)


def kept(table: str, kinds: str | None) -> str:
    policies = f"CREATE POLICY compartments ON {table} AS RESTRICTIVE TO mneme_tenant USING ({IN_COMPARTMENT});"
    if kinds is not None:
        policies += f"CREATE POLICY kinds ON {table} AS RESTRICTIVE TO mneme_tenant USING ({kinds});"
    return policies


def hanging(table: str, column: str, rows: str) -> str:
    return f"""
        CREATE POLICY compartments ON {table} AS RESTRICTIVE TO mneme_tenant
            USING ((SELECT true FROM {rows} r WHERE r.tenant_id = {table}.tenant_id AND r.id = {table}.{column}));
    """


POLICIES = "".join(kept(*item) for item in KEPT.items()) + "".join(hanging(*item) for item in HANGING)
NO_POLICIES = "".join(f"DROP POLICY compartments ON {table};" for table in (*KEPT, *(row[0] for row in HANGING)))
NO_POLICIES += "".join(f"DROP POLICY kinds ON {table};" for table, kinds in KEPT.items() if kinds is not None)

# The log names ids of all; this says which of them a scope must not be told.
KEPT_BACK = (
    """
    CREATE FUNCTION memories_kept_back(wanted uuid[]) RETURNS SETOF uuid
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    """
    + " UNION ALL ".join(
        f"SELECT id FROM public.{table} WHERE id = ANY (wanted) AND tenant_id = {TENANT}"
        f" AND NOT ({IN_COMPARTMENT} AND {kinds or 'true'})"
        for table, kinds in KEPT.items()
    )
    + """
    $$;
    COMMENT ON FUNCTION memories_kept_back IS 'Which ids are of rows that compartments or kinds keep from the scope.';
    REVOKE ALL ON FUNCTION memories_kept_back FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION memories_kept_back TO mneme_tenant;
    """
)

GUARDS = """
    CREATE FUNCTION memories_guard_compartments() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
        own varchar[];
        held varchar[];
    BEGIN
        IF TG_TABLE_NAME = 'memories_memory' THEN
            own := NEW.compartments;
            SELECT compartments INTO held FROM public.memories_turn WHERE id = NEW.turn_id;
        ELSE
            SELECT compartments INTO own FROM public.memories_memory WHERE id = NEW.memory_id;
            SELECT compartments INTO held FROM public.memories_turn WHERE id = NEW.turn_id
                UNION ALL SELECT compartments FROM public.memories_memory WHERE id = NEW.parent_id;
        END IF;
        IF held <> '{}' AND (own = '{}' OR NOT own <@ held) THEN
            RAISE EXCEPTION 'a memory is never wider than what it rests on' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
    END $$;
    REVOKE ALL ON FUNCTION memories_guard_compartments FROM PUBLIC;
    CREATE TRIGGER compartments BEFORE INSERT ON memories_memory
        FOR EACH ROW WHEN (NEW.turn_id IS NOT NULL) EXECUTE FUNCTION memories_guard_compartments();
    CREATE TRIGGER compartments BEFORE INSERT ON memories_source
        FOR EACH ROW EXECUTE FUNCTION memories_guard_compartments();
"""
NO_GUARDS = """
    DROP TRIGGER compartments ON memories_memory; DROP TRIGGER compartments ON memories_source;
    DROP FUNCTION memories_guard_compartments;
"""

# Attributes are no longer a part of what an entity's vector says: they can be hidden, and a vector cannot be in part.
VECTORS = """
    DELETE FROM memories_entityvector;
    DROP TRIGGER revectored ON memories_entity;
    CREATE TRIGGER revectored AFTER UPDATE ON memories_entity FOR EACH ROW
        WHEN ((NEW.entity_type, NEW.name, NEW.aliases) IS DISTINCT FROM (OLD.entity_type, OLD.name, OLD.aliases))
        EXECUTE FUNCTION memories_drop_vectors('memories_entityvector', 'entity_id');
"""
OLD_VECTORS = """
    DELETE FROM memories_entityvector;
    DROP TRIGGER revectored ON memories_entity;
    CREATE TRIGGER revectored AFTER UPDATE ON memories_entity FOR EACH ROW
        WHEN ((NEW.entity_type, NEW.name, NEW.aliases, NEW.attributes)
              IS DISTINCT FROM (OLD.entity_type, OLD.name, OLD.aliases, OLD.attributes))
        EXECUTE FUNCTION memories_drop_vectors('memories_entityvector', 'entity_id');
"""


class Migration(migrations.Migration):
    dependencies = [("memories", "0011_compartments")]
    operations = [
        migrations.RunSQL(POLICIES, NO_POLICIES),
        migrations.RunSQL(KEPT_BACK, "DROP FUNCTION memories_kept_back;"),
        migrations.RunSQL(GUARDS, NO_GUARDS),
        migrations.RunSQL(VECTORS, OLD_VECTORS),
    ]
