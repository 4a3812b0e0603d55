"""How far turns and memories are trusted; quarantine and rejection; an edge of provenance that was reverted is void."""

from django.db import migrations, models

GUARD = """
    CREATE OR REPLACE FUNCTION memories_guard_memory() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        changeable CONSTANT text[] := ARRAY['version', 'doc_version', 'context', 'status', 'closed_at', 'accepted_at',
            'superseded_by_id', 'contradiction', 'ended_at', 'frequency', 'rebuild_due_at', 'on_hold', 'agent_id',
            'entity_id', 'restores_id', 'consolidated_by'{0}];
    BEGIN
        IF (to_jsonb(NEW) - changeable) IS DISTINCT FROM (to_jsonb(OLD) - changeable) THEN
            RAISE EXCEPTION 'a memory is superseded, never overwritten' USING ERRCODE = 'check_violation';
        END IF;
        IF OLD.closed_at IS NOT NULL AND (NEW.closed_at, NEW.status, NEW.superseded_by_id, NEW.ended_at)
            IS DISTINCT FROM (OLD.closed_at, OLD.status, OLD.superseded_by_id, OLD.ended_at) THEN
            RAISE EXCEPTION 'a closed memory never reopens' USING ERRCODE = 'check_violation';
        END IF;
        IF OLD.accepted_at IS NOT NULL AND NEW.accepted_at IS DISTINCT FROM OLD.accepted_at THEN
            RAISE EXCEPTION 'a memory is accepted once' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
    END $$;
"""
GRANT = """
    GRANT UPDATE (trust) ON memories_memory TO mneme_tenant;
    GRANT UPDATE (voided_at) ON memories_source TO mneme_tenant;
"""
REVOKE = """
    REVOKE UPDATE (trust) ON memories_memory FROM mneme_tenant;
    REVOKE UPDATE (voided_at) ON memories_source FROM mneme_tenant;
"""
# What was written before there were levels: by its role, and of a memory by the sorts of its sources.
EARLIER = """
    ALTER TABLE memories_turn DISABLE TRIGGER archive;
    UPDATE memories_turn SET trust = 'tool' WHERE role <> 'user';
    ALTER TABLE memories_turn ENABLE TRIGGER archive;
    UPDATE memories_memory SET trust = 'tool'
        WHERE id IN (SELECT memory_id FROM memories_source WHERE source_type IN ('assistant', 'tool'));
"""


class Migration(migrations.Migration):
    dependencies = [
        ("memories", "0022_forgetting"),
        ("tenants", "0013_policy_walls"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="memory",
            name="memory_status",
        ),
        migrations.RemoveConstraint(
            model_name="memory",
            name="memory_status_and_moments",
        ),
        migrations.RemoveIndex(
            model_name="memory",
            name="episode_to_consolidate",
        ),
        migrations.AddField(
            model_name="memory",
            name="trust",
            field=models.CharField(
                choices=[("web", "web"), ("tool", "tool"), ("user", "user"), ("operator", "operator")],
                default="user",
                max_length=16,
            ),
        ),
        migrations.AddField(
            model_name="source",
            name="voided_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="turn",
            name="trust",
            field=models.CharField(
                choices=[("web", "web"), ("tool", "tool"), ("user", "user"), ("operator", "operator")],
                default="user",
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="memory",
            name="status",
            field=models.CharField(
                choices=[
                    ("active", "Active"),
                    ("pending", "Pending"),
                    ("quarantined", "Quarantined"),
                    ("superseded", "Superseded"),
                    ("retracted", "Retracted"),
                    ("archived", "Archived"),
                    ("rejected", "Rejected"),
                ],
                default="active",
                max_length=16,
            ),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(
                    ("consolidated_by__isnull", True),
                    ("memory_type", "episodic"),
                    ("status__in", ["active", "quarantined"]),
                ),
                fields=["tenant", "subject"],
                name="episode_to_consolidate",
            ),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "status__in",
                        ["active", "pending", "quarantined", "superseded", "retracted", "archived", "rejected"],
                    )
                ),
                name="memory_status",
            ),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.CheckConstraint(
                condition=models.Q(("trust__in", ["web", "tool", "user", "operator"])), name="memory_trust"
            ),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("accepted_at__isnull", False), ("closed_at__isnull", True), ("status", "active")),
                    models.Q(
                        ("accepted_at__isnull", True),
                        ("closed_at__isnull", True),
                        ("status__in", ("pending", "quarantined")),
                    ),
                    models.Q(("closed_at__isnull", False), ("status__in", ["superseded", "retracted", "archived"])),
                    models.Q(("accepted_at__isnull", True), ("closed_at__isnull", False), ("status", "rejected")),
                    _connector="OR",
                ),
                name="memory_status_and_moments",
            ),
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.CheckConstraint(
                condition=models.Q(("trust__in", ["web", "tool", "user", "operator"])), name="turn_trust"
            ),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(("rebuild_due_at__isnull", False)),
                fields=["rebuild_due_at"],
                name="memory_to_rebuild",
            ),
        ),
        migrations.RunSQL(GUARD.format(", 'trust'"), GUARD.format("")),
        migrations.RunSQL(GRANT, REVOKE),
        migrations.RunSQL(EARLIER, migrations.RunSQL.noop),
    ]
