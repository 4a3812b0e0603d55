"""OutboxEntry: a document the engine does not show yet.

Written by trigger in the transaction that changed the row, so bulk writes, raw SQL and cascades are caught, and
nothing acknowledged can be missed. One row a document: a later change moves the row's version on. It says only
which document and which version; the drain reads the row itself again right before it writes. A row leaves when
the engine has confirmed its version and has had the time to show it to searches.
"""

from django.db import models

from tenants.models.owned import TenantOwned


class OutboxEntry(TenantOwned):
    """One document to bring to the engine.

    claimed_until: a drain's lease; past it the entry is anyone's again.
    awaiting_vector: the engine has the text; the embedder's turn is next, and its vector makes the entry due again.
    applied_at: the engine confirmed doc_version then; null = still to do.
    failures: how often it failed for its own sake, and not because the engine was away.
    dead_at: given up then: a dead letter, which nobody claims until it is retried or its row changes.
    error: a short code of the last failure, without personal text.
    """

    subject_id = models.UUIDField(null=True)
    kind = models.CharField(max_length=32)
    object_id = models.UUIDField()
    doc_version = models.BigIntegerField()
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    claimed_until = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    awaiting_vector = models.BooleanField(default=False)
    applied_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=64, default="")
    failures = models.PositiveSmallIntegerField(db_default=0)
    dead_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "dead letter"  # what the admin shows of them
        constraints = [
            models.UniqueConstraint(fields=["tenant", "kind", "object_id"], name="one_outbox_entry_a_document"),
        ]
        indexes = [
            # By tenant, since a pass takes some of each; what is settled or given up is not in it.
            models.Index(
                fields=["awaiting_vector", "tenant", "due_at", "id"],
                condition=models.Q(applied_at__isnull=True, dead_at__isnull=True),
                name="outbox_waiting",
            ),
            models.Index(fields=["tenant"], condition=models.Q(dead_at__isnull=False), name="outbox_dead"),
            models.Index(fields=["tenant", "subject_id"], name="outbox_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.object_id} at {self.doc_version}"
