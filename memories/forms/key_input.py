"""What a request says of a key."""

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from backends.search import names
from tenants.forms.strict import ExternalIdField, ShortListField, StrictSerializer, TextField
from tenants.scope import Ability
from tenants.services.issue_from import LIVES_MAX_DAYS, Wanted
from tenants.services.issue_key import COMPARTMENT_MAX_LENGTH, KEY_ABILITIES
from tenants.services.rotate_key import MAX_OVERLAP, OVERLAPS
from tenants.services.spend import QUOTA_MAX

WORDS_MAX = 100
_QUOTA = "null or left out: the template's, else the site's setting; 0: without a limit."


def words(help_text: str) -> ShortListField:
    """Return a field for a short list of keywords."""
    return ShortListField(
        child=TextField(max_length=COMPARTMENT_MAX_LENGTH), max_length=WORDS_MAX, required=False, help_text=help_text
    )


def chosen(options: Sequence[str], *, required: bool = False) -> ShortListField:
    """Return a field for some of the options."""
    child = serializers.ChoiceField(choices=list(options))
    return ShortListField(child=child, min_length=1, max_length=len(options), required=required)


def quota() -> serializers.IntegerField:
    """Return a field for a quota."""
    return serializers.IntegerField(
        min_value=0, max_value=QUOTA_MAX, required=False, allow_null=True, help_text=_QUOTA
    )


class KeyInput(StrictSerializer):
    """A key to be issued; what is left out, the template says."""

    spellings = {"kinds": "memory_types"}

    name = TextField(max_length=200, help_text="For people: which agent will use it.")
    template = ExternalIdField(required=False, help_text="The name of one of keys/templates/.")
    user_id = ExternalIdField(
        required=False, help_text="The one user it is for, made if there is none yet. Left out: every user."
    )
    abilities = chosen([str(ability) for ability in KEY_ABILITIES])
    memory_types = chosen(names.KINDS)
    compartments = words("Memories with compartments are shown only to keys that have one of them.")
    hidden_fields = words("Fields that no answer to this key has, such as sensitive_notes.")
    purpose = TextField(max_length=200, blank=True, required=False, help_text="Noted with every event of the key.")
    expires_in_days = serializers.IntegerField(
        min_value=1, max_value=LIVES_MAX_DAYS, required=False, help_text="Left out: the template's, else never."
    )
    requests_a_minute = quota()
    turns_a_day = quota()
    recalls_a_minute = quota()


def wanted(values: dict[str, Any]) -> Wanted:
    """Return the key that validated values ask for."""
    given = {name: value for name, value in values.items() if name not in {"memory_types", "expires_in_days"}}
    if "abilities" in given:
        given["abilities"] = [Ability(value) for value in given["abilities"]]
    return Wanted(
        **given, makes_user=True, kinds=values.get("memory_types"), lives_days=values.get("expires_in_days")
    )


class RotateInput(StrictSerializer):
    """When the old key ends."""

    overlap_s = serializers.IntegerField(
        min_value=0,
        max_value=int(MAX_OVERLAP.total_seconds()),
        default=int(OVERLAPS[2].total_seconds()),
        help_text="Seconds for which the old key still works; 0: it ends now, in the search engine too.",
    )
