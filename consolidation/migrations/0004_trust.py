"""Quarantine and rebuilds in decisions and reviews; a review may be of what all users share, and of no run or turn."""

import django.db.models.deletion
from django.db import migrations, models

TENANT = "nullif(current_setting('app.tenant_id', true), '')::uuid"
SUBJECT = "nullif(current_setting('app.subject_id', true), '')::uuid"
NO_SUBJECT = "nullif(current_setting('app.subject_id', true), '') IS NULL"
BARRIER = "subject_id <> ALL (ARRAY(SELECT tenants_erasing()))"


def own(barrier: str) -> str:
    return f"tenant_id = {TENANT} AND ({NO_SUBJECT} OR subject_id = {SUBJECT}) AND ({barrier})"


def policy(barrier: str) -> str:
    return f"ALTER POLICY tenant ON consolidation_reviewitem USING ({own(barrier)}) WITH CHECK ({own(barrier)});"


SHARED, OWN_ONLY = policy(f"subject_id IS NULL OR {BARRIER}"), policy(BARRIER)


class Migration(migrations.Migration):
    dependencies = [
        ("consolidation", "0003_nightly"),
        ("memories", "0023_trust"),
        ("tenants", "0013_policy_walls"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="decision",
            name="decision_verdict",
        ),
        migrations.RemoveConstraint(
            model_name="reviewitem",
            name="review_kind",
        ),
        migrations.AlterField(
            model_name="decision",
            name="verdict",
            field=models.CharField(
                choices=[
                    ("nothing", "Nothing"),
                    ("added", "Added"),
                    ("repeated", "Repeated"),
                    ("refined", "Refined"),
                    ("superseded", "Superseded"),
                    ("denied", "Denied"),
                    ("past", "Past"),
                    ("forgotten", "Forgotten"),
                    ("pending", "Pending"),
                    ("stale", "Stale"),
                    ("outcome", "Outcome"),
                    ("quarantined", "Quarantined"),
                    ("skipped", "Skipped"),
                ],
                max_length=16,
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
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="reviewitem",
            name="run",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="consolidation.run",
            ),
        ),
        migrations.AlterField(
            model_name="reviewitem",
            name="subject",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="tenants.subject",
            ),
        ),
        migrations.AlterField(
            model_name="reviewitem",
            name="turn",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="memories.turn",
            ),
        ),
        migrations.AddConstraint(
            model_name="decision",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "verdict__in",
                        [
                            "nothing",
                            "added",
                            "repeated",
                            "refined",
                            "superseded",
                            "denied",
                            "past",
                            "forgotten",
                            "pending",
                            "stale",
                            "outcome",
                            "quarantined",
                            "skipped",
                        ],
                    )
                ),
                name="decision_verdict",
            ),
        ),
        migrations.AddConstraint(
            model_name="reviewitem",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["unsure", "conflict", "instruction", "rebuild"])), name="review_kind"
            ),
        ),
        migrations.RunSQL(SHARED, OWN_ONLY),
    ]
