"""IdempotencyKey: the answer to a request that may come twice."""

from django.db import models

from tenants.models.api_key import ApiKey
from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject

KEY_MAX_LENGTH = 255


class IdempotencyKey(TenantOwned):
    """One Idempotency-Key of one API key, written in the transaction of the work itself.

    request_hash: SHA-256 of the canonical request. response: ids of the rows the answer was made of, in order.
    """

    subject = reference(Subject, null=True)
    api_key = reference(ApiKey)
    key = models.CharField(max_length=KEY_MAX_LENGTH)
    request_hash = models.BinaryField(max_length=32)
    response = models.JSONField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "api_key", "key"], name="one_request_an_idempotency_key"),
        ]

    def __str__(self) -> str:
        return str(self.id)
