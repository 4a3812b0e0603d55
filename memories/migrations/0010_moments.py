"""No row is closed before it was believed."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("memories", "0009_narrower")]
    operations = [
        migrations.RunSQL(
            # Rows of before are not looked at.
            "ALTER TABLE memories_memory ADD CONSTRAINT memory_closed_after_it_began"
            " CHECK (closed_at >= coalesce(accepted_at, recorded_at)) NOT VALID;",
            "ALTER TABLE memories_memory DROP CONSTRAINT memory_closed_after_it_began;",
        ),
    ]
