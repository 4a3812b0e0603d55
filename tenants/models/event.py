"""Event: audit and live stream in one append-only table."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from tenants.ids import uuid7


class Event(models.Model):
    """One thing that happened. No foreign keys: the trail neither blocks a deletion nor dies of it.

    tenant_id: null on the site's own chain.
    seq, prev_hash, hash: given once when the row is sealed; gapless per tenant.
    kind: noun.verb, for example turn.recorded.
    object_ids: ids of ours only. data: counts, scores, states and reason codes; never personal text.
    subject_pseudonym: HMAC-SHA-256 of the subject's id under the subject's own key.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField(null=True)
    seq = models.BigIntegerField(null=True)
    kind = models.CharField(max_length=64)
    schema_version = models.PositiveSmallIntegerField(default=1)
    at = models.DateTimeField()
    actor = models.CharField(max_length=16)
    key_id = models.UUIDField(null=True)
    request_id = models.CharField(max_length=64, default="")
    purpose = models.CharField(max_length=200, default="")
    object_ids = ArrayField(models.UUIDField(), default=list)
    subject_pseudonym = models.BinaryField(max_length=32, null=True)
    data = models.JSONField(default=dict)
    prev_hash = models.BinaryField(max_length=32, null=True)
    hash = models.BinaryField(max_length=32, null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_id", "seq"], nulls_distinct=True, name="one_event_a_tenant_and_seq"
            ),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "at"], name="event_tenant_at"),
            models.Index(
                fields=["tenant_id", "at", "id"], condition=models.Q(seq__isnull=True), name="event_unsealed"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"
