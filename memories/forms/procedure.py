"""Playbooks as they come in and go out."""

from typing import Any

from memories.forms.memory import rendered
from memories.forms.memory_input import PlainMemoryInput
from memories.models import Memory, Procedure
from memories.models.procedure import STEP_MAX_LENGTH, STEPS_MAX, TRIGGER_MAX_LENGTH
from tenants.forms.strict import ShortListField, StrictSerializer, TextField
from tenants.scope import Ability, Scope


class StepsField(ShortListField):
    """Steps in order."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=TextField(max_length=STEP_MAX_LENGTH), min_length=1, max_length=STEPS_MAX, **kwargs)


class ProcedureInput(PlainMemoryInput):
    """A playbook: when it applies, and what to do."""

    trigger = TextField(max_length=TRIGGER_MAX_LENGTH)
    steps = StepsField()


class RefinementInput(StrictSerializer):
    """What the next revision of a playbook does otherwise."""

    trigger = TextField(max_length=TRIGGER_MAX_LENGTH, required=False)
    steps = StepsField(required=False)


def rendered_playbook(scope: Scope, memory: Memory, playbook: Procedure) -> dict[str, Any]:
    """Return a playbook with its counts; who may not read is told its id, version and state only."""
    if Ability.MEMORIES_READ not in scope.abilities:
        return rendered(scope, memory)
    return {
        **rendered(scope, memory),
        "trigger": playbook.trigger,
        "steps": playbook.steps,
        "revision": playbook.revision,
        "success_count": playbook.success_count,
        "failure_count": playbook.failure_count,
    }
