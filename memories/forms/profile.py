"""A profile as JSON, and as the first lines of a block for a prompt."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from rest_framework import serializers

from memories.models import Memory
from memories.profile import GROUPS
from memories.prompt import PROFILE, Item
from memories.services.profile import Profile
from tenants.forms.hidden import without_hidden
from tenants.forms.moments import iso
from tenants.scope import Scope

Plain = serializers.Serializer[Any]


class ProfileFact(Plain):
    """One lasting fact."""

    memory_id = serializers.UUIDField()
    text = serializers.CharField()
    predicate = serializers.CharField(allow_null=True)
    confidence = serializers.FloatField()
    since = serializers.DateTimeField(help_text="Since when it is true, or was said.")
    source_ids = serializers.ListField(
        child=serializers.UUIDField(), help_text="Turns and memories that it rests on (needs provenance:read)."
    )


class ProfileGroups(Plain):
    """Facts by part of life; a part of which nothing is known is left out."""

    identity = ProfileFact(many=True, required=False)
    contacts = ProfileFact(many=True, required=False)
    work = ProfileFact(many=True, required=False)
    family = ProfileFact(many=True, required=False)
    health = ProfileFact(many=True, required=False)
    preferences = ProfileFact(many=True, required=False)
    possessions = ProfileFact(many=True, required=False)


class ProfileAnswer(Plain):
    """What is known of a user for good."""

    subject_id = serializers.UUIDField()
    user_id = serializers.CharField()
    groups = ProfileGroups()


def rendered_profile(scope: Scope, profile: Profile) -> dict[str, Any]:
    """Return a profile, without what is hidden from the scope."""
    groups = {group: [_fact(scope, row, profile) for row in rows] for group, rows in profile.facts.items()}
    return {"subject_id": str(profile.subject.id), "user_id": profile.subject.external_id, "groups": groups}


def profile_items(scope: Scope, profile: Profile, *, without: Collection[UUID]) -> list[Item]:
    """Return the lines of a profile; without: memories that the block has anyway."""
    hides = "confidence" in scope.hidden_fields
    return [
        Item(kind=PROFILE, text=row.text, since=row.valid_from, confidence=1.0 if hides else row.confidence)
        for group in GROUPS
        for row in profile.facts.get(group, ())
        if row.id not in without
    ]


def _fact(scope: Scope, row: Memory, profile: Profile) -> dict[str, Any]:
    seen: dict[str, Any] = without_hidden(
        {
            "memory_id": str(row.id),
            "text": row.text,
            "predicate": row.predicate or None,
            "confidence": row.confidence,
            "since": iso(row.valid_from),
            "source_ids": [str(one) for one in profile.sources.get(row.id, ())],
        },
        scope.hidden_fields,
    )
    return seen
