"""Turns as they come in and go out, one or many."""

from datetime import datetime, timedelta
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from memories.forms.compartments import CompartmentsField
from memories.forms.metadata import MetadataField
from memories.models.turn import SPEAKER_MAX_LENGTH, TURN_MAX_LENGTH
from memories.roles import Role
from memories.services.record import NewTurn, RecordedTurn
from memories.trust import CHOICES_OF_TURNS, OF_ROLES, Trust
from tenants.forms.moments import iso
from tenants.forms.strict import ExternalIdField, MomentField, StrictSerializer, TextField
from tenants.ids import external_id_fault

CLOCK_SKEW = timedelta(days=1)


class TurnInput(StrictSerializer):
    """One turn: who said what, when, to whom."""

    spellings = {"run_id": "session_id", "thread_id": "session_id"}

    user_id = ExternalIdField(required=False)
    session_id = ExternalIdField(help_text="Your name for the conversation. Also: run_id, thread_id.")
    agent_id = ExternalIdField(required=False)
    role = serializers.ChoiceField(choices=Role.choices, default=Role.USER.value)
    speaker = TextField(max_length=SPEAKER_MAX_LENGTH, required=False)
    content = TextField(max_length=TURN_MAX_LENGTH)
    occurred_at = MomentField(required=False)
    metadata = MetadataField(required=False)
    compartments = CompartmentsField()
    trust = serializers.ChoiceField(
        choices=CHOICES_OF_TURNS,
        required=False,
        help_text="Where the words come from: `user`, `tool`, or `web` for pages, files and imports. Left out: by "
        "the role; a turn is never trusted more than that.",
    )

    def validate_speaker(self, value: str) -> str:
        """Refuse line breaks and other control characters in a name, as in an id."""
        fault = external_id_fault(value)
        if fault is not None:
            raise ValidationError(fault)
        return value


def new_turn(values: dict[str, Any], *, now: datetime) -> NewTurn:
    """Return a validated turn as record takes it.

    Raises ValidationError, when it is said to have occurred more than a day from now, or to be trusted more than its
    role is.
    """
    occurred_at = values.get("occurred_at", now)
    if occurred_at > now + CLOCK_SKEW:
        raise ValidationError({"occurred_at": "must not lie in the future"})
    role = Role(values["role"])
    trust = Trust(values["trust"]) if "trust" in values else OF_ROLES[role]
    if trust.rank > OF_ROLES[role].rank:
        raise ValidationError({"trust": f"a turn of role {role} is trusted as {OF_ROLES[role]} at most"})
    return NewTurn(
        user_id=values.get("user_id"),
        session_id=values["session_id"],
        agent_id=values.get("agent_id"),
        role=role,
        speaker=values.get("speaker", ""),
        content=values["content"],
        occurred_at=occurred_at,
        metadata=values.get("metadata", {}),
        compartments=tuple(values.get("compartments", ())),
        trust=trust,
    )


def rendered(recorded: RecordedTurn) -> dict[str, Any]:
    """Return a recorded turn as JSON. indexed is pending until sync has brought it to the search engine."""
    turn = recorded.turn
    return {
        "turn_id": str(turn.id),
        "memory_id": str(recorded.memory_id) if recorded.memory_id else None,
        "session_id": recorded.session_id,
        "user_id": recorded.user_id,
        "position": turn.position,
        "role": turn.role,
        "trust": turn.trust,
        "compartments": turn.compartments,
        "occurred_at": iso(turn.occurred_at),
        "recorded_at": iso(turn.recorded_at),
        "indexed": "pending",
    }
