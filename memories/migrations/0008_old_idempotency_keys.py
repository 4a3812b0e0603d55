"""The operator takes old idempotency keys away."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("memories", "0007_memory_names")]
    operations = [
        migrations.RunSQL(
            "GRANT SELECT (created_at), DELETE ON memories_idempotencykey TO mneme_operator;"
            "CREATE INDEX idempotency_key_age ON memories_idempotencykey (created_at);",
            "DROP INDEX idempotency_key_age; REVOKE ALL ON memories_idempotencykey FROM mneme_operator;",
        ),
    ]
