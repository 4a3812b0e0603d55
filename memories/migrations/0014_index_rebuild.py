"""Rebuilding of indexes: how far it came; and versions that are raised after a restore."""

from django.db import migrations, models

import tenants.ids

WALL = """
    ALTER TABLE memories_indexrebuild ENABLE ROW LEVEL SECURITY;
    ALTER TABLE memories_indexrebuild FORCE ROW LEVEL SECURITY;
    CREATE POLICY operator ON memories_indexrebuild TO mneme_operator USING (true) WITH CHECK (true);
    CREATE POLICY owner ON memories_indexrebuild TO mneme_owner USING (true) WITH CHECK (true);
    GRANT SELECT, INSERT, UPDATE ON memories_indexrebuild TO mneme_operator;

    -- Versions only ever rise.
    CREATE FUNCTION memories_raise_version(above bigint) RETURNS bigint
        LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        SELECT setval('public.memories_version_seq', greatest(above, nextval('public.memories_version_seq')))
    $$;
    REVOKE ALL ON FUNCTION memories_raise_version FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION memories_raise_version TO mneme_operator;
"""


class Migration(migrations.Migration):
    dependencies = [("memories", "0013_dead_letters")]
    operations = [
        migrations.CreateModel(
            name="IndexRebuild",
            fields=[
                (
                    "id",
                    models.UUIDField(default=tenants.ids.uuid7, editable=False, primary_key=True, serialize=False),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("episodic", "episodic"),
                            ("semantic", "semantic"),
                            ("procedural", "procedural"),
                            ("entity", "entity"),
                            ("relation", "relation"),
                            ("catalog", "catalog"),
                        ],
                        max_length=32,
                        unique=True,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("backfill", "Backfill"), ("compare", "Compare"), ("done", "Done")],
                        default="backfill",
                        max_length=16,
                    ),
                ),
                ("position", models.UUIDField(null=True)),
                ("written", models.PositiveBigIntegerField(default=0)),
                ("holder", models.UUIDField(null=True)),
                ("held_until", models.DateTimeField(null=True)),
                ("started_at", models.DateTimeField()),
                ("updated_at", models.DateTimeField()),
            ],
        ),
        migrations.RunSQL(WALL, "DROP FUNCTION memories_raise_version;"),
    ]
