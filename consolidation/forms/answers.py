"""What the API answers about consolidation, as the OpenAPI document describes it."""

from typing import Any

from rest_framework import serializers

from consolidation.models.decision import Verdict
from consolidation.models.review_item import ReviewKind, ReviewState
from consolidation.models.run import Reason, State
from memories.trust import CHOICES

Plain = serializers.Serializer[Any]


class RunAnswer(Plain):
    """One run."""

    id = serializers.UUIDField()
    user_id = serializers.CharField()
    compartments = serializers.ListField(child=serializers.CharField())
    state = serializers.ChoiceField(choices=State.choices)
    reason = serializers.ChoiceField(choices=Reason.choices)
    extractor = serializers.CharField()
    episodes = serializers.IntegerField()
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="Decisions by verdict.")
    prompt_tokens = serializers.IntegerField()
    completion_tokens = serializers.IntegerField()
    cost = serializers.CharField(
        allow_null=True,
        help_text="Of these tokens, in `currency`, as a decimal; null = unknown, or no model was asked.",
    )
    currency = serializers.CharField(allow_blank=True)
    error = serializers.CharField(allow_blank=True)
    started_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class RunsAnswer(Plain):
    """A page of runs."""

    results = RunAnswer(many=True)
    next = serializers.UUIDField(allow_null=True)


class DecisionAnswer(Plain):
    """One decision; start and end are code points of the turn's content."""

    id = serializers.UUIDField()
    run_id = serializers.UUIDField()
    user_id = serializers.CharField()
    turn_id = serializers.UUIDField()
    episode_id = serializers.UUIDField()
    verdict = serializers.ChoiceField(choices=Verdict.choices)
    why = serializers.CharField(allow_blank=True)
    rule = serializers.CharField(allow_blank=True)
    start = serializers.IntegerField(allow_null=True)
    end = serializers.IntegerField(allow_null=True)
    confidence = serializers.FloatField(allow_null=True)
    memory_id = serializers.UUIDField(allow_null=True)
    met_id = serializers.UUIDField(allow_null=True)
    relation_id = serializers.UUIDField(allow_null=True, help_text="Of a relation that the turn told.")
    decided_at = serializers.DateTimeField()


class DecisionsAnswer(Plain):
    """A page of decisions."""

    results = DecisionAnswer(many=True)
    next = serializers.UUIDField(allow_null=True)


class ReviewAnswer(Plain):
    """Something to decide."""

    id = serializers.UUIDField()
    user_id = serializers.CharField(allow_null=True, help_text="null = shared by all users.")
    kind = serializers.ChoiceField(choices=ReviewKind.choices)
    state = serializers.ChoiceField(choices=ReviewState.choices)
    memory_id = serializers.UUIDField(allow_null=True)
    text = serializers.CharField(allow_null=True, help_text="Of the memory to decide on.")
    met_id = serializers.UUIDField(allow_null=True)
    met_text = serializers.CharField(allow_null=True, help_text="Of the memory that it contradicts.")
    entity_id = serializers.UUIDField(allow_null=True, help_text="Of a merge: the entity that would stay.")
    entity_name = serializers.CharField(allow_null=True, help_text="null where the key may not read entities.")
    other_entity_id = serializers.UUIDField(allow_null=True, help_text="Of a merge: the one that would go into it.")
    other_entity_name = serializers.CharField(allow_null=True)
    turn_id = serializers.UUIDField(allow_null=True)
    said = serializers.CharField(allow_null=True, help_text="The turn, as it was said.")
    trust = serializers.ChoiceField(choices=CHOICES, allow_null=True, help_text="Of the turn.")
    opened_at = serializers.DateTimeField()
    decided_at = serializers.DateTimeField(allow_null=True)


class ReviewsAnswer(Plain):
    """A page of reviews."""

    results = ReviewAnswer(many=True)
    next = serializers.UUIDField(allow_null=True)


class CandidateAnswer(Plain):
    """A statement found in a turn, and what would become of it if nothing were known."""

    text = serializers.CharField()
    predicate = serializers.CharField()
    value = serializers.CharField()
    stance = serializers.CharField()
    slot = serializers.CharField(allow_null=True)
    category = serializers.CharField(allow_blank=True)
    confidence = serializers.FloatField()
    importance = serializers.FloatField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    valid_from = serializers.DateTimeField()
    rule = serializers.CharField()
    pending = serializers.BooleanField()
    quarantined = serializers.BooleanField(help_text="Said among instructions: a person decides.")


class PreviewAnswer(Plain):
    """What a turn would yield; why: a code where it yields nothing, or instructs."""

    candidates = CandidateAnswer(many=True)
    why = serializers.CharField(allow_blank=True)
