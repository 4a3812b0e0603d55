"""A policy as JSON, and a change of one."""

from typing import Any

from rest_framework import serializers

from tenants.forms.strict import ShortListField, StrictSerializer, TextField
from tenants.policy import KEYS, Policy

CHANGES_MAX = 200
NAME_MAX_LENGTH = 100


class PolicyInput(StrictSerializer):
    """A change of some keys."""

    set = serializers.DictField(required=False, help_text="Key -> value.")
    reset = ShortListField(
        child=TextField(max_length=NAME_MAX_LENGTH),
        max_length=CHANGES_MAX,
        required=False,
        help_text="Keys that go back to their defaults.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a change of nothing, and one that says two things of a key."""
        if not attrs.get("set") and not attrs.get("reset"):
            raise serializers.ValidationError("say what to change, in set or reset")
        both = sorted(set(attrs.get("set", {})) & set(attrs.get("reset", ())))
        if both:
            raise serializers.ValidationError({"reset": f"{both[0]} is in set as well"})
        return attrs


class PolicyKeyAnswer(serializers.Serializer[Any]):
    """One key of the policy, and what it means."""

    value = serializers.JSONField()
    default = serializers.JSONField()
    unit = serializers.CharField()
    sentence = serializers.CharField()
    minimum = serializers.FloatField(allow_null=True)
    maximum = serializers.FloatField(allow_null=True)
    choices = serializers.ListField(child=serializers.CharField())


class PolicyAnswer(serializers.Serializer[Any]):
    """The tenant's policy. version: 0 = never changed."""

    version = serializers.IntegerField()
    keys = serializers.DictField(child=PolicyKeyAnswer())


def rendered_policy(policy: Policy) -> dict[str, Any]:
    """Return the policy with every key."""
    return {
        "version": policy.version,
        "keys": {name: _rendered_key(name, value) for name, value in policy.values()},
    }


def _rendered_key(name: str, value: object) -> dict[str, Any]:
    key = KEYS[name]
    is_number = key.default is None or (isinstance(key.default, int | float) and not isinstance(key.default, bool))
    return {
        "value": value,
        "default": key.default,
        "unit": key.unit,
        "sentence": key.sentence,
        "minimum": key.minimum if is_number else None,
        "maximum": key.maximum if is_number else None,
        "choices": list(key.choices),
    }
