"""What two active memories cannot have in common, as the database tells it."""

from django.db import IntegrityError


class SlotTaken(Exception):
    """The slot holds an active memory; name it in supersedes_id."""


class TextTaken(Exception):
    """Another active memory says the same."""


def conflict_of(error: IntegrityError) -> SlotTaken | TextTaken | None:
    """Return which of the two a refused row met; None for another constraint."""
    if "one_active_memory_a_slot" in str(error):
        return SlotTaken("slot: another active memory holds it; supersede or retract that first")
    if "one_active_semantic_text" in str(error):
        return TextTaken("text: another active memory says the same")
    return None
