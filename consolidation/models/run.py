"""Run: one pass over the episodes of one user that nobody has consolidated yet."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject


class State(models.TextChoices):
    """The state of a run: running -> done | failed; a worker that died leaves it running until its lease ends."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Reason(models.TextChoices):
    """Why a run began. night: the day is read once more, as a whole."""

    ASKED = "asked"
    COUNT = "count"
    QUIET = "quiet"
    AGE = "age"
    TURN = "turn"
    NIGHT = "night"


class Run(TenantOwned):
    """One run: a user's episodes in one set of compartments.

    extractor: who found the candidates, with its version. counts: decisions by verdict; never text.
    lease_until: until then nobody else runs over the same episodes. error: a code, where it failed.
    prompt_tokens, completion_tokens: what a model was given and gave; 0 for rules. cost: of these, in currency;
    null = unknown, or no model was asked.
    """

    subject = reference(Subject)
    compartments = ArrayField(models.CharField(max_length=64), default=list)
    state = models.CharField(max_length=16, choices=State, default=State.RUNNING)
    reason = models.CharField(max_length=16, choices=Reason)
    extractor = models.CharField(max_length=64)
    episodes = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict)
    prompt_tokens = models.PositiveBigIntegerField(default=0)
    completion_tokens = models.PositiveBigIntegerField(default=0)
    cost = models.DecimalField(max_digits=18, decimal_places=9, null=True)
    currency = models.CharField(max_length=3, default="")
    error = models.CharField(max_length=64, default="")
    lease_until = models.DateTimeField()
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="run_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "subject", "compartments"],
                condition=Q(state=State.RUNNING),
                name="one_run_a_subject_at_a_time",
            ),
            models.CheckConstraint(condition=Q(state__in=State.values), name="run_state"),
        ]
        indexes = [models.Index(fields=["tenant", "subject", "-started_at"], name="run_newest")]

    def __str__(self) -> str:
        return f"{self.state} {self.id}"
