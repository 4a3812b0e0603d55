"""Keys as JSON, and what the OpenAPI document says of them."""

from typing import Any

from rest_framework import serializers

from tenants.forms.answers import Plain, TenantAnswer
from tenants.forms.moments import iso
from tenants.models import ApiKey
from tenants.services.spend import Quota

_QUOTA = "null: as the site's setting says; 0: without a limit."


class QuotasAnswer(Plain):
    """How much a key may do."""

    requests_a_minute = serializers.IntegerField(allow_null=True, help_text=_QUOTA)
    turns_a_day = serializers.IntegerField(allow_null=True, help_text=_QUOTA)
    recalls_a_minute = serializers.IntegerField(allow_null=True, help_text=_QUOTA)


class KeyAnswer(Plain):
    """A key, without its secret."""

    key_id = serializers.UUIDField()
    prefix = serializers.CharField()
    name = serializers.CharField()
    template = serializers.CharField(help_text="The template it was issued from; empty = none.")
    user_id = serializers.CharField(allow_null=True, help_text="The one user it is for; null = all.")
    abilities = serializers.ListField(child=serializers.CharField())
    memory_types = serializers.ListField(child=serializers.CharField())
    compartments = serializers.ListField(child=serializers.CharField())
    hidden_fields = serializers.ListField(child=serializers.CharField())
    purpose = serializers.CharField()
    quotas = QuotasAnswer()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="Within five minutes; null = never.")


class OwnKeyAnswer(KeyAnswer):
    """The calling key, with its tenant."""

    tenant = TenantAnswer()


class KeysAnswer(Plain):
    """A page of keys."""

    results = KeyAnswer(many=True)
    next = serializers.UUIDField(allow_null=True)


class IssuedKeyAnswer(KeyAnswer):
    """A new key, with its secret."""

    secret = serializers.CharField(
        allow_null=True,
        help_text="Shown in this answer only. null: an earlier request with this Idempotency-Key had it.",
    )


class RotatedKeyAnswer(IssuedKeyAnswer):
    """A new key in place of another."""

    old_key_ends_at = serializers.DateTimeField()
    engine_confirmed = serializers.BooleanField(
        help_text="false: the site refuses the old key, and asks the search engine again within a minute."
    )


class RevokedKeyAnswer(KeyAnswer):
    """A key that ended."""

    engine_confirmed = serializers.BooleanField(
        help_text="false: the site refuses the key, and asks the search engine again within a minute."
    )


def rendered_key(key: ApiKey) -> dict[str, Any]:
    """Return a key with its subject loaded, without anything of its secret."""
    return {
        "key_id": str(key.id),
        "prefix": key.prefix,
        "name": key.name,
        "template": key.template,
        "user_id": key.subject.external_id if key.subject_id and key.subject else None,
        "abilities": sorted(key.abilities),
        "memory_types": list(key.kinds),
        "compartments": list(key.compartments),
        "hidden_fields": list(key.hidden_fields),
        "purpose": key.purpose,
        "quotas": {str(quota): getattr(key, quota) for quota in Quota},
        "created_at": iso(key.created_at),
        "expires_at": iso(key.expires_at),
        "revoked_at": iso(key.revoked_at),
        "last_used_at": iso(key.last_used_at),
    }
