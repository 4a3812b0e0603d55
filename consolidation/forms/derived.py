"""What came of a turn or memory, and the receipt of its revert, as JSON."""

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from backends.search import names
from consolidation.models import Receipt
from consolidation.models.receipt import Act, Doing
from consolidation.services.derived import Derivative, Derived
from consolidation.services.told import Told
from memories.models.memory import Status
from memories.trust import CHOICES
from tenants.forms.hidden import without_hidden
from tenants.forms.moments import iso
from tenants.scope import Scope

Plain = serializers.Serializer[Any]


class DerivativeAnswer(Plain):
    """A memory that rests on the root."""

    memory_id = serializers.UUIDField()
    memory_type = serializers.ChoiceField(choices=names.MEMORY_KINDS)
    status = serializers.ChoiceField(choices=Status.choices)
    trust = serializers.ChoiceField(choices=CHOICES)
    user_id = serializers.CharField(allow_null=True, help_text="null = shared by all users.")
    text = serializers.CharField()
    path = serializers.ListField(child=serializers.UUIDField(), help_text="The memories between, itself last.")
    relation = serializers.CharField(help_text="How it rests on what stands before it.")
    alone = serializers.BooleanField(help_text="It has no other evidence: a revert retracts it.")
    reverted = serializers.BooleanField(help_text="A revert has taken this evidence from it already.")
    replaced = serializers.ListField(
        child=serializers.UUIDField(), help_text="What it has superseded, and a revert may bring back."
    )


class OutcomeAnswer(Plain):
    """An outcome that the turn told of a playbook."""

    memory_id = serializers.UUIDField()
    success = serializers.BooleanField()


class DerivedAnswer(Plain):
    """All that came of a turn or a memory, nearest first."""

    turn_id = serializers.UUIDField(allow_null=True)
    memory_ids = serializers.ListField(child=serializers.UUIDField(), help_text="The root's own rows.")
    results = DerivativeAnswer(many=True)
    outcomes = OutcomeAnswer(many=True)
    truncated = serializers.BooleanField(help_text="There is more than this list can hold.")


class DoneAnswer(Plain):
    """One thing that was done, or could not be undone."""

    doing = serializers.ChoiceField(choices=[(doing.value, doing.value) for doing in Doing])
    memory_id = serializers.UUIDField(allow_null=True, help_text="null for a relation, and for what is not a row.")
    other_id = serializers.UUIDField(
        allow_null=True, help_text="What it was done with, such as the original of a copy."
    )
    before = serializers.CharField(
        allow_null=True, help_text="The earlier status or trust, or which outcome was taken back."
    )


class ReceiptAnswer(Plain):
    """What a revert did, as far as the key sees the memories."""

    id = serializers.UUIDField()
    root_id = serializers.UUIDField(allow_null=True, help_text="The turn or memory.")
    user_id = serializers.CharField(allow_null=True)
    done = DoneAnswer(many=True)
    unseen = serializers.IntegerField(help_text="How many more things were done where the key sees nothing.")
    left = DoneAnswer(many=True, help_text="After an undo: what stayed as it is, since it had changed meanwhile.")
    made_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)


def rendered_derived(scope: Scope, found: Derived) -> dict[str, Any]:
    """Return all that came of a root."""
    answer = {
        "turn_id": str(found.root.turn_id) if found.root.turn_id else None,
        "memory_ids": sorted(str(one) for one in found.root.memory_ids),
        "results": [_derivative(one) for one in found.derivatives],
        "outcomes": [{"memory_id": str(one.memory_id), "success": one.success} for one in found.outcomes],
        "truncated": found.truncated,
    }
    shown: dict[str, Any] = without_hidden(answer, scope.hidden_fields)
    return shown


def rendered_receipt(receipt: Receipt, told: Told, left: Sequence[Act] = ()) -> dict[str, Any]:
    """Return a receipt."""
    return {
        "id": str(receipt.id),
        "root_id": str(receipt.root_id) if receipt.root_id else None,
        "user_id": receipt.subject.external_id if receipt.subject else None,
        "done": [rendered_act(act) for act in told.acts],
        "unseen": told.unseen,
        "left": [rendered_act(act) for act in left if act in told.acts],
        "made_at": iso(receipt.made_at),
        "undone_at": iso(receipt.undone_at) if receipt.undone_at else None,
    }


def rendered_act(act: Act) -> dict[str, Any]:
    """Return one thing that was done."""
    return {
        "doing": act.doing.value,
        "memory_id": str(act.row) if act.row and not act.of_relation else None,
        "other_id": str(act.other) if act.other and not act.of_relation else None,
        "before": act.before or None,
    }


def _derivative(one: Derivative) -> dict[str, Any]:
    memory = one.memory
    return {
        "memory_id": str(memory.id),
        "memory_type": memory.memory_type,
        "status": memory.status,
        "trust": memory.trust,
        "user_id": memory.subject.external_id if memory.subject else None,
        "text": memory.text,
        "path": [str(step) for step in one.path],
        "relation": one.relation,
        "alone": one.alone,
        "reverted": one.reverted,
        "replaced": [str(other) for other in one.replaced],
    }
