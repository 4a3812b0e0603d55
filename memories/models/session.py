"""Session: one conversation."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from tenants.ids import EXTERNAL_ID_MAX_LENGTH
from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject


class Session(TenantOwned):
    """A conversation, known by the caller's session_id; the same id under two subjects is two sessions.

    So it is in two compartments: positions, speakers and the lines around a turn tell nothing across them.

    turn_count: turns archived so far, and so the next turn's position; its row lock orders the turns.
    speakers: authors of the session's memories, each once.
    """

    subject = reference(Subject, null=True)
    external_id = models.CharField(max_length=EXTERNAL_ID_MAX_LENGTH)
    compartments = ArrayField(models.CharField(max_length=64), default=list)
    turn_count = models.PositiveIntegerField(default=0)
    speakers = ArrayField(models.CharField(max_length=200), default=list)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "subject", "external_id", "compartments"],
                nulls_distinct=False,
                name="one_session_a_subject_and_session_id",
            ),
            models.UniqueConstraint(fields=["tenant", "id"], name="session_tenant_id"),
        ]

    def __str__(self) -> str:
        return str(self.id)
