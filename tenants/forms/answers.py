"""What the API answers about tenants, subjects and jobs, as the OpenAPI document describes it."""

from typing import Any

from rest_framework import serializers

from tenants.models.job import State

Plain = serializers.Serializer[Any]


class TenantAnswer(Plain):
    """The tenant of a key."""

    slug = serializers.CharField()
    name = serializers.CharField()


class SubjectAnswer(Plain):
    """A user of the tenant."""

    id = serializers.UUIDField()
    user_id = serializers.CharField()
    created_at = serializers.DateTimeField()


class SubjectsAnswer(Plain):
    """A page of users."""

    results = SubjectAnswer(many=True)
    next = serializers.UUIDField(allow_null=True)


class JobAnswer(Plain):
    """Long work and how far it has come."""

    id = serializers.UUIDField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(choices=State.choices)
    object_id = serializers.UUIDField(allow_null=True)
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    message = serializers.CharField()
    result = serializers.DictField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
