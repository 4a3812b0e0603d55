"""What a request says of a template of keys."""

from typing import Any

from rest_framework import serializers

from backends.search import names
from memories.forms.key_input import chosen, quota, words
from tenants.forms.answers import Plain
from tenants.forms.key import QuotasAnswer
from tenants.forms.strict import StrictSerializer, TextField
from tenants.models import KeyTemplate
from tenants.scope import Ability
from tenants.services.change_template import TemplateValues
from tenants.services.issue_from import LIVES_MAX_DAYS
from tenants.services.issue_key import KEY_ABILITIES
from tenants.services.spend import Quota


class TemplateInput(StrictSerializer):
    """A template as a whole: what is left out is empty."""

    spellings = {"kinds": "memory_types"}

    description = TextField(max_length=300, blank=True, default="")
    per_user = serializers.BooleanField(default=False, help_text="Whether a key from it is for one user.")
    abilities = chosen([str(ability) for ability in KEY_ABILITIES], required=True)
    memory_types = chosen(names.KINDS)
    compartments = words("As of keys.")
    hidden_fields = words("As of keys.")
    purpose = TextField(max_length=200, blank=True, default="")
    expires_in_days = serializers.IntegerField(
        min_value=1, max_value=LIVES_MAX_DAYS, allow_null=True, default=None, help_text="null: never."
    )
    requests_a_minute = quota()
    turns_a_day = quota()
    recalls_a_minute = quota()


class TemplateAnswer(Plain):
    """A template."""

    name = serializers.CharField()
    description = serializers.CharField()
    per_user = serializers.BooleanField()
    abilities = serializers.ListField(child=serializers.CharField())
    memory_types = serializers.ListField(child=serializers.CharField())
    compartments = serializers.ListField(child=serializers.CharField())
    hidden_fields = serializers.ListField(child=serializers.CharField())
    purpose = serializers.CharField()
    expires_in_days = serializers.IntegerField(allow_null=True)
    quotas = QuotasAnswer()


class TemplatesAnswer(Plain):
    """All templates of the tenant."""

    results = TemplateAnswer(many=True)


def values_of(name: str, given: dict[str, Any]) -> TemplateValues:
    """Return the template that validated values describe."""
    renamed = {key: value for key, value in given.items() if key not in {"memory_types", "expires_in_days"}}
    renamed["abilities"] = [Ability(value) for value in given["abilities"]]
    kinds = given.get("memory_types", names.KINDS)
    return TemplateValues(**renamed, name=name, kinds=kinds, lives_days=given["expires_in_days"])


def rendered_template(template: KeyTemplate) -> dict[str, Any]:
    """Return a template as JSON."""
    return {
        "name": template.name,
        "description": template.description,
        "per_user": template.per_user,
        "abilities": list(template.abilities),
        "memory_types": list(template.kinds),
        "compartments": list(template.compartments),
        "hidden_fields": list(template.hidden_fields),
        "purpose": template.purpose,
        "expires_in_days": template.lives_days,
        "quotas": {str(quota): getattr(template, quota) for quota in Quota},
    }
