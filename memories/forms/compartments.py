"""Compartments as they come in."""

from typing import Any

from rest_framework.exceptions import ValidationError

from tenants.forms.strict import ShortListField, TextField
from tenants.services.issue_key import COMPARTMENT_MAX_LENGTH, compartment_fault

COMPARTMENTS_MAX = 8
COMPARTMENTS_MAX_BYTES = 1_024
"""Of all together: they are a part of unique indexes, whose rows are short."""


class CompartmentsField(ShortListField):
    """The compartments of something new: only who holds one of them sees it. Sorted, each once."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            child=TextField(max_length=COMPARTMENT_MAX_LENGTH),
            max_length=COMPARTMENTS_MAX,
            required=False,
            help_text="Only keys that hold one of them see it; the key must hold all that it names.",
            **kwargs,
        )

    def to_internal_value(self, data: Any) -> list[str]:
        """Return the keywords in the form they are stored in."""
        wanted = sorted({*super().to_internal_value(data)})
        for name in wanted:
            if fault := compartment_fault(name):
                raise ValidationError(fault)
        size = sum(len(name.encode()) for name in wanted)
        if size > COMPARTMENTS_MAX_BYTES:
            raise ValidationError(f"must have at most {COMPARTMENTS_MAX_BYTES} bytes together, have {size}")
        return wanted
