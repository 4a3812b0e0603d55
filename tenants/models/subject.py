"""Subject: the person whose memories they are."""

import secrets

from django.db import models

from tenants.ids import EXTERNAL_ID_MAX_LENGTH
from tenants.models.owned import TenantOwned


def _pseudonym_key() -> bytes:
    return secrets.token_bytes(32)


class Subject(TenantOwned):
    """A user of the tenant's product, known by the caller's user_id.

    pseudonym_key: HMAC key of this subject's name in the event log; destroyed with the row.
    erased_at: from then on nobody sees the row or anything of it; the worker takes it all away. The user_id is free
    again: who comes back under it is another subject.
    """

    external_id = models.CharField(max_length=EXTERNAL_ID_MAX_LENGTH)
    pseudonym_key = models.BinaryField(default=_pseudonym_key)
    created_at = models.DateTimeField()
    erased_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "external_id"],
                condition=models.Q(erased_at__isnull=True),
                name="one_subject_a_user_id",
            ),
            models.UniqueConstraint(fields=["tenant", "id"], name="subject_tenant_id"),
        ]

    def __str__(self) -> str:
        return str(self.id)
