"""EngineCredential: the search engine's own proof of what a key may read."""

from django.db import models

from tenants.models.api_key import ApiKey
from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject


class EngineCredential(TenantOwned):
    """One engine credential of one API key, for all its subjects (null) or for one of them.

    secret: encrypted with ENGINE_KEYS, which are not in the database.
    """

    api_key = reference(ApiKey)
    subject = reference(Subject, null=True)
    engine = models.CharField(max_length=32)
    engine_id = models.CharField(max_length=64)
    secret = models.BinaryField()
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "api_key", "engine", "subject"],
                nulls_distinct=False,
                name="one_credential_a_key_and_subject",
            ),
            models.UniqueConstraint(fields=["tenant", "id"], name="engine_credential_tenant_id"),
        ]

    def __str__(self) -> str:
        return f"{self.engine}:{self.engine_id}"
