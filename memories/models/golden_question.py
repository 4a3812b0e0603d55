"""GoldenQuestion: a question whose right answers are known, to hold a change against."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject


class GoldenQuestion(TenantOwned):
    """A question that a tenant holds every change of its policy, or of its memories, against.

    kinds, compartments: what the scope held that added it; one that holds less does not see it.
    question: as asked, by field. expected_ids: memories that must be among the first `within`; none: the answer must
    say that nothing matches.
    """

    subject = reference(Subject, null=True)
    kinds = ArrayField(models.CharField(max_length=32))
    compartments = ArrayField(models.CharField(max_length=64), default=list)
    question = models.JSONField()
    expected_ids = ArrayField(models.UUIDField(), default=list)
    within = models.PositiveIntegerField(default=10)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="golden_question_tenant_id"),
            models.CheckConstraint(condition=Q(within__gte=1, within__lte=100), name="golden_question_within"),
        ]

    def __str__(self) -> str:
        return str(self.id)
