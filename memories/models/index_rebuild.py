"""IndexRebuild: how far the rebuilding of a kind's index has come, and which process is at it.

In Postgres, so that whoever is killed half-way leaves word; the engine's own state says the rest.
"""

from django.db import models

from backends.search import names
from tenants.ids import uuid7


class State(models.TextChoices):
    """The state of a rebuild: backfill -> compare -> done; the next one begins anew."""

    BACKFILL = "backfill"
    COMPARE = "compare"
    DONE = "done"


class IndexRebuild(models.Model):
    """The newest rebuild of a kind. It belongs to the site, not to a tenant, and holds nothing of theirs but an id.

    position: the last row that was brought to the new generation; rows go by id. written: how many rows that were.
    holder, held_until: the process that is at it, and until when others keep off.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    kind = models.CharField(max_length=32, unique=True, choices=[(kind, kind) for kind in names.KINDS])
    state = models.CharField(max_length=16, choices=State, default=State.BACKFILL)
    position = models.UUIDField(null=True)
    written = models.PositiveBigIntegerField(default=0)
    holder = models.UUIDField(null=True)
    held_until = models.DateTimeField(null=True)
    started_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.kind}: {self.state}"
