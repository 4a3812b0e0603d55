"""What the API answers about entities, relations and the catalog, as the OpenAPI document describes it."""

from typing import Any

from rest_framework import serializers

from backends.search import names

Plain = serializers.Serializer[Any]


class Identified(Plain):
    """What every row has when it is asked for by itself."""

    id = serializers.UUIDField()
    memory_type = serializers.ChoiceField(choices=names.KINDS)
    version = serializers.IntegerField(help_text="The ETag.")


class EntityFields(Plain):
    """What is shown of an entity."""

    text = serializers.CharField()
    user_id = serializers.CharField(allow_null=True)
    entity_type = serializers.CharField()
    name = serializers.CharField()
    aliases = serializers.ListField(child=serializers.CharField())
    attributes = serializers.DictField()
    recorded_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    compartments = serializers.ListField(child=serializers.CharField(), help_text="Those that the key holds.")


class EntityAnswer(Identified, EntityFields):
    """An entity."""


class EntitiesAnswer(Plain):
    """A page of entities."""

    results = EntityAnswer(many=True)
    next = serializers.UUIDField(allow_null=True)


class EndAnswer(Plain):
    """One end of a relation."""

    id = serializers.UUIDField()
    name = serializers.CharField()


class RelationFields(Plain):
    """What is shown of a relation."""

    text = serializers.CharField()
    user_id = serializers.CharField(allow_null=True)
    subject_entity = EndAnswer()
    predicate = serializers.CharField()
    object_entity = EndAnswer()
    weight = serializers.FloatField()
    valid_from = serializers.DateTimeField()
    valid_to = serializers.DateTimeField(allow_null=True)
    recorded_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    compartments = serializers.ListField(child=serializers.CharField(), help_text="Those that the key holds.")


class RelationAnswer(Identified, RelationFields):
    """A relation."""


class RelationsAnswer(Plain):
    """A page of relations."""

    results = RelationAnswer(many=True)
    next = serializers.UUIDField(allow_null=True)


class DocumentFields(Plain):
    """What is shown of a document of the catalog."""

    text = serializers.CharField()
    user_id = serializers.CharField(allow_null=True)
    document_id = serializers.CharField(help_text="The caller's id.")
    title = serializers.CharField(allow_null=True)
    tags = serializers.ListField(child=serializers.CharField())
    metadata = serializers.DictField()
    recorded_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    compartments = serializers.ListField(child=serializers.CharField(), help_text="Those that the key holds.")


class DocumentAnswer(Identified, DocumentFields):
    """A document of the catalog."""


class DocumentsAnswer(Plain):
    """A page of the catalog."""

    results = DocumentAnswer(many=True)
    next = serializers.CharField(allow_null=True)


class PutAnswer(Plain):
    """What a bulk write of the catalog did."""

    created = serializers.IntegerField()
    updated = serializers.IntegerField()
    unchanged = serializers.IntegerField()
