"""ChainHead: how far a chain of events has come."""

from django.db import models

from tenants.ids import uuid7


class ChainHead(models.Model):
    """The last sealed event of one chain, so that a tail that was cut off is missed.

    tenant_id: null on the site's own chain.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant_id = models.UUIDField(null=True)
    seq = models.BigIntegerField()
    hash = models.BinaryField(max_length=32)
    sealed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant_id"], nulls_distinct=False, name="one_head_a_chain"),
        ]

    def __str__(self) -> str:
        return f"{self.tenant_id} at {self.seq}"
