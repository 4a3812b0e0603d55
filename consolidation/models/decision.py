"""Decision: what was made of one candidate of one episode, and why."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from consolidation.models.run import Run
from memories.models import Memory, Relation, Turn
from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject


class Verdict(models.TextChoices):
    """What was decided.

    nothing: the episode holds no candidate. added: a new memory. repeated: known, said once more. refined: said
    better. superseded: in the place of what was true until then; denied: of what never was. past: true, but
    before what is known. forgotten: retracted, as the user asked. pending: not sure enough. stale: older than
    what is known, and nothing new. outcome: of a playbook. quarantined: found among instructions, for a person to
    decide. skipped: the record would not take it. merged: entities that the memory names were found to be one.
    related: a relation was written, or told once more.
    """

    NOTHING = "nothing"
    ADDED = "added"
    REPEATED = "repeated"
    REFINED = "refined"
    SUPERSEDED = "superseded"
    DENIED = "denied"
    PAST = "past"
    FORGOTTEN = "forgotten"
    PENDING = "pending"
    STALE = "stale"
    OUTCOME = "outcome"
    QUARANTINED = "quarantined"
    SKIPPED = "skipped"
    MERGED = "merged"
    RELATED = "related"


class Decision(TenantOwned):
    """One decision. It holds ids and codes; the words are in the turn and in the memory.

    episode, turn: what was read. start, end: the candidate's words, in code points of the turn; null where there is
    none. memory: what was written or changed. met: the memory that the candidate met.
    relation: what was written or told once more; null where that is no relation.
    why: a code. rule: the rule or model that found the candidate. confidence: the candidate's, in [0, 1].
    """

    subject = reference(Subject)
    compartments = ArrayField(models.CharField(max_length=64), default=list)
    run = reference(Run)
    episode = reference(Memory)
    turn = reference(Turn)
    verdict = models.CharField(max_length=16, choices=Verdict)
    why = models.CharField(max_length=64, default="")
    rule = models.CharField(max_length=64, default="")
    start = models.PositiveIntegerField(null=True)
    end = models.PositiveIntegerField(null=True)
    confidence = models.FloatField(null=True)
    memory = reference(Memory, null=True)
    met = reference(Memory, null=True)
    relation = reference(Relation, null=True)
    decided_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="decision_tenant_id"),
            models.CheckConstraint(condition=Q(verdict__in=Verdict.values), name="decision_verdict"),
        ]

    def __str__(self) -> str:
        return f"{self.verdict} {self.id}"
