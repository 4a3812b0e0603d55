"""What the API answers about forgetting, as the OpenAPI document describes it."""

from typing import Any

from rest_framework import serializers

from backends.search import names
from consolidation.services.fading import FADED, UNUSED

Plain = serializers.Serializer[Any]


class FigureAnswer(Plain):
    """One memory, and how strongly it is held."""

    memory_id = serializers.UUIDField()
    memory_type = serializers.ChoiceField(choices=names.MEMORY_KINDS)
    importance = serializers.FloatField(help_text="As it was written, raised by use.")
    strength = serializers.FloatField(help_text="Importance, halved with each half-life since the last access.")
    accessed_at = serializers.DateTimeField(help_text="When it was last recalled or said.")
    why = serializers.ChoiceField(choices=[FADED, UNUSED])


class ForgottenAnswer(Plain):
    """What one step would do."""

    memories = serializers.IntegerField()
    more = serializers.BooleanField(help_text="There are more than were counted.")
    by_type = serializers.DictField(child=serializers.IntegerField())
    samples = FigureAnswer(many=True, help_text="The weakest, at most 20.")


class SummarisedAnswer(Plain):
    """What would be compressed into summaries."""

    conversations = serializers.IntegerField()
    episodes = serializers.IntegerField(help_text="They would be archived in favour of the summaries.")


class ForgettingPreviewAnswer(Plain):
    """What forgetting would do now."""

    summarise = SummarisedAnswer()
    archive = ForgottenAnswer()
    delete = ForgottenAnswer()
