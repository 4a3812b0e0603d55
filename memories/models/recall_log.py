"""RecallLog: one recall, with all that its order was made of."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject


class RecallLog(TenantOwned):
    """One answered question, kept so that its order can be computed again, and so that it can be asked again.

    id: the recall_id of the answer. subject: whom it was asked for; null = all users of the tenant.
    by_user: whether that user's own key asked; one of the whole tenant is not for a user's key to see.
    kinds, compartments: what the asking scope held; a scope that holds less does not see the log.
    question: as asked, by field. policy_version: whose weights ranked it. ranking: the input of memories.ranking,
    packed (memories.services.packed_ranking). result_ids: the answer, best first. pool_ids: every row that was looked
    at; when one of them is erased, the log goes with it.
    asked_at: the moment at which everything was judged.
    """

    subject = reference(Subject, null=True)
    by_user = models.BooleanField(default=False)
    key_id = models.UUIDField(null=True)
    kinds = ArrayField(models.CharField(max_length=32))
    compartments = ArrayField(models.CharField(max_length=64), default=list)
    question = models.JSONField()
    policy_version = models.PositiveIntegerField()
    ranking = models.BinaryField()
    result_ids = ArrayField(models.UUIDField())
    pool_ids = ArrayField(models.UUIDField())
    reason = models.CharField(max_length=32, default="")
    degraded = ArrayField(models.CharField(max_length=16), default=list)
    engine = models.CharField(max_length=32)
    model = models.CharField(max_length=128)
    took_ms = models.JSONField(default=dict)
    asked_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant", "id"], name="recall_log_tenant_id")]
        indexes = [
            models.Index(fields=["tenant", "subject", "-asked_at"], name="recall_log_newest"),
            models.Index(fields=["asked_at"], name="recall_log_oldest"),
        ]

    def __str__(self) -> str:
        return str(self.id)
