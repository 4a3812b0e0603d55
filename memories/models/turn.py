"""Turn: what was said, kept as it was said."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from memories.models.session import Session
from memories.roles import Role
from memories.trust import CHOICES, VALUES, Trust
from tenants.ids import EXTERNAL_ID_MAX_LENGTH
from tenants.models.owned import TenantOwned, reference
from tenants.models.subject import Subject

TURN_MAX_LENGTH = 32_000
SPEAKER_MAX_LENGTH = 200


class Turn(TenantOwned):
    """One turn of the archive: whole, in order, immutable by trigger.

    position: 0, 1, 2 … within the session, without a gap.
    compartments: those of its session.
    content_hash: SHA-256 of content in UTF-8.
    trust: how far it is believed; by its role, or less where whoever sent it said so.
    occurred_at: when it was said; recorded_at: when it arrived here.
    """

    subject = reference(Subject, null=True)
    session = reference(Session)
    compartments = ArrayField(models.CharField(max_length=64), default=list)
    position = models.PositiveIntegerField()
    role = models.CharField(max_length=16, choices=Role)
    speaker = models.CharField(max_length=SPEAKER_MAX_LENGTH, default="")
    agent_id = models.CharField(max_length=EXTERNAL_ID_MAX_LENGTH, null=True)  # noqa: DJ001 - null: no agent
    trust = models.CharField(max_length=16, choices=CHOICES, default=Trust.USER.value)
    content = models.TextField()
    content_hash = models.BinaryField(max_length=32)
    metadata = models.JSONField(default=dict)
    occurred_at = models.DateTimeField()
    recorded_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "session", "position"], name="one_turn_a_position"),
            models.UniqueConstraint(fields=["tenant", "id"], name="turn_tenant_id"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="turn_role"),
            models.CheckConstraint(condition=models.Q(trust__in=VALUES), name="turn_trust"),
        ]

    def __str__(self) -> str:
        return str(self.id)
