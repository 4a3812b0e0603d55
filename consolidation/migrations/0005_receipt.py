"""Receipts of what was reverted or asked for in words, behind the walls."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

import tenants.ids

TENANT = "nullif(current_setting('app.tenant_id', true), '')::uuid"
SUBJECT = "nullif(current_setting('app.subject_id', true), '')::uuid"
NO_SUBJECT = "nullif(current_setting('app.subject_id', true), '') IS NULL"
BARRIER = "(subject_id IS NULL OR subject_id <> ALL (ARRAY(SELECT tenants_erasing())))"
OWN = f"tenant_id = {TENANT} AND ({NO_SUBJECT} OR subject_id = {SUBJECT}) AND {BARRIER}"
COMPARTMENTS = (
    "ARRAY(SELECT item::varchar FROM jsonb_array_elements_text("
    "nullif(nullif(current_setting('app.compartments', true), ''), '*')::jsonb) AS held (item))"
)
IN_COMPARTMENT = (
    f"(compartments = '{{}}' OR compartments && {COMPARTMENTS}"
    " OR (SELECT current_setting('app.compartments', true) = '*'))"
)
REFERENCES = """
    ALTER TABLE consolidation_receipt ADD CONSTRAINT receipt_of_subject FOREIGN KEY (tenant_id, subject_id)
        REFERENCES tenants_subject (tenant_id, id) ON DELETE CASCADE;
    CREATE INDEX receipt_subject ON consolidation_receipt (tenant_id, subject_id);
"""
NO_REFERENCES = """
    DROP INDEX receipt_subject;
    ALTER TABLE consolidation_receipt DROP CONSTRAINT receipt_of_subject;
"""
WALL = f"""
    ALTER TABLE consolidation_receipt ADD CONSTRAINT consolidation_receipt_of_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenants_tenant (id) ON DELETE CASCADE;
    ALTER TABLE consolidation_receipt ENABLE ROW LEVEL SECURITY;
    ALTER TABLE consolidation_receipt FORCE ROW LEVEL SECURITY;
    CREATE POLICY tenant ON consolidation_receipt TO mneme_tenant USING ({OWN}) WITH CHECK ({OWN});
    CREATE POLICY compartments ON consolidation_receipt AS RESTRICTIVE TO mneme_tenant USING ({IN_COMPARTMENT});
    CREATE POLICY operator ON consolidation_receipt TO mneme_operator USING (true) WITH CHECK (true);
    CREATE POLICY owner ON consolidation_receipt TO mneme_owner USING (true) WITH CHECK (true);
    GRANT SELECT, INSERT, UPDATE (undone_at) ON consolidation_receipt TO mneme_tenant;
    GRANT SELECT ON consolidation_receipt TO mneme_operator;
"""
NO_WALL = """
    REVOKE ALL ON consolidation_receipt FROM mneme_tenant, mneme_operator;
    DROP POLICY tenant ON consolidation_receipt; DROP POLICY compartments ON consolidation_receipt;
    DROP POLICY operator ON consolidation_receipt; DROP POLICY owner ON consolidation_receipt;
    ALTER TABLE consolidation_receipt NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE consolidation_receipt DISABLE ROW LEVEL SECURITY;
    ALTER TABLE consolidation_receipt DROP CONSTRAINT consolidation_receipt_of_tenant;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("consolidation", "0004_trust"),
        ("tenants", "0013_policy_walls"),
    ]

    operations = [
        migrations.CreateModel(
            name="Receipt",
            fields=[
                (
                    "id",
                    models.UUIDField(default=tenants.ids.uuid7, editable=False, primary_key=True, serialize=False),
                ),
                (
                    "compartments",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64), default=list, size=None
                    ),
                ),
                ("kind", models.CharField(choices=[("revert", "Revert"), ("intent", "Intent")], max_length=16)),
                ("verb", models.CharField(max_length=16)),
                ("root_id", models.UUIDField(null=True)),
                ("acts", models.JSONField(default=list)),
                ("key_id", models.UUIDField(null=True)),
                ("made_at", models.DateTimeField()),
                ("undone_at", models.DateTimeField(null=True)),
                (
                    "subject",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="tenants.subject",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="tenants.tenant",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "id"), name="receipt_tenant_id"),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["revert", "intent"])), name="receipt_kind"
                    ),
                ],
            },
        ),
        migrations.RunSQL(REFERENCES, NO_REFERENCES),
        migrations.RunSQL(WALL, NO_WALL),
    ]
