"""Reviews of two entities that are likely to be one."""

import django.db.models.deletion
from django.db import migrations, models

REFERENCES = "".join(
    f"""
    ALTER TABLE consolidation_reviewitem ADD CONSTRAINT review_of_{column} FOREIGN KEY (tenant_id, {column}_id)
        REFERENCES memories_entity (tenant_id, id) ON DELETE CASCADE;
    CREATE INDEX review_{column} ON consolidation_reviewitem (tenant_id, {column}_id) WHERE {column}_id IS NOT NULL;
    """
    for column in ("entity", "other_entity")
)
NO_REFERENCES = "".join(
    f"DROP INDEX review_{column}; ALTER TABLE consolidation_reviewitem DROP CONSTRAINT review_of_{column};"
    for column in ("entity", "other_entity")
)


class Migration(migrations.Migration):
    dependencies = [
        ("consolidation", "0006_merges"),
        ("memories", "0026_entity_merge"),
        ("tenants", "0013_policy_walls"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="reviewitem",
            name="review_kind",
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="entity",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="memories.entity",
            ),
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="other_entity",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="memories.entity",
            ),
        ),
        migrations.AlterField(
            model_name="reviewitem",
            name="kind",
            field=models.CharField(
                choices=[
                    ("unsure", "Unsure"),
                    ("conflict", "Conflict"),
                    ("instruction", "Instruction"),
                    ("rebuild", "Rebuild"),
                    ("merge", "Merge"),
                ],
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="reviewitem",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["unsure", "conflict", "instruction", "rebuild", "merge"])),
                name="review_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="reviewitem",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("entity__isnull", False), ("kind", "merge"), ("other_entity__isnull", False)),
                    models.Q(
                        models.Q(("kind", "merge"), _negated=True),
                        ("entity__isnull", True),
                        ("other_entity__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="review_entities",
            ),
        ),
        migrations.RunSQL(REFERENCES, NO_REFERENCES),
    ]
