"""What the API answers, as the OpenAPI document describes it; memories.forms renders the same by hand."""

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from backends.search import names
from memories.forms.kin import KinAnswer
from memories.forms.prompt import PromptAnswer
from memories.forms.world_answers import DocumentFields, EntityFields, Identified, RelationFields
from memories.models.memory import Contradiction, Status
from memories.roles import Role
from memories.services.strengths import COLD, HOT, WARM
from memories.trust import CHOICES

Plain = serializers.Serializer[Any]


class TurnAnswer(Plain):
    """A turn in the archive."""

    turn_id = serializers.UUIDField()
    memory_id = serializers.UUIDField(allow_null=True, help_text="null for what an assistant or a tool said.")
    session_id = serializers.CharField()
    user_id = serializers.CharField(allow_null=True)
    position = serializers.IntegerField(help_text="0, 1, 2 … within the session.")
    role = serializers.ChoiceField(choices=Role.choices)
    trust = serializers.ChoiceField(choices=CHOICES)
    compartments = serializers.ListField(child=serializers.CharField(), help_text="Those that the key holds.")
    occurred_at = serializers.DateTimeField()
    recorded_at = serializers.DateTimeField()
    indexed = serializers.CharField(help_text="pending: recallable already, and soon in the search engine.")


class TurnsAnswer(Plain):
    """The turns of a batch, in order."""

    turns = TurnAnswer(many=True)


class MemoryFields(Plain):
    """What is shown of a memory."""

    text = serializers.CharField()
    user_id = serializers.CharField(allow_null=True, help_text="null = shared by all users.")
    agent_id = serializers.CharField(allow_null=True)
    entity_id = serializers.UUIDField(allow_null=True)
    category = serializers.CharField(allow_null=True)
    predicate = serializers.CharField(allow_null=True)
    slot = serializers.CharField(allow_null=True)
    importance = serializers.FloatField()
    confidence = serializers.FloatField()
    status = serializers.ChoiceField(choices=Status.choices)
    trust = serializers.ChoiceField(choices=CHOICES, help_text="Of the least trusted source it was made of.")
    tags = serializers.ListField(child=serializers.CharField())
    metadata = serializers.DictField()
    sensitive_notes = serializers.CharField(allow_null=True)
    compartments = serializers.ListField(child=serializers.CharField(), help_text="Those that the key holds.")
    frequency = serializers.IntegerField()
    occurred_at = serializers.DateTimeField()
    valid_from = serializers.DateTimeField()
    valid_to = serializers.DateTimeField(allow_null=True)
    recorded_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)
    superseded_by = serializers.UUIDField(allow_null=True)
    contradiction = serializers.ChoiceField(choices=Contradiction.choices, allow_null=True)
    restores = serializers.UUIDField(allow_null=True)


class MemoryAnswer(Identified, MemoryFields):
    """A memory, in any state."""


class WrittenMemoryAnswer(MemoryAnswer):
    """A memory just written. created is false where the same was known."""

    created = serializers.BooleanField()


class MemoriesAnswer(Plain):
    """A page of memories."""

    results = MemoryAnswer(many=True)
    next = serializers.UUIDField(allow_null=True, help_text="The `before` of the following page.")


class VersionAnswer(MemoryAnswer):
    """One row of a memory's chain."""

    replaced_by_verb = serializers.CharField(allow_null=True, help_text="direct, correct, invalidate or restore.")


class HistoryAnswer(Plain):
    """A memory's chain, oldest first."""

    versions = VersionAnswer(many=True)


class SpanAnswer(Plain):
    """The span of a turn."""

    turn_id = serializers.UUIDField()
    session_id = serializers.CharField()
    position = serializers.IntegerField()
    role = serializers.ChoiceField(choices=Role.choices)
    occurred_at = serializers.DateTimeField()
    start = serializers.IntegerField(help_text="In code points, half-open.")
    end = serializers.IntegerField()
    text = serializers.CharField()


class StepAnswer(Plain):
    """One edge of provenance."""

    memory_id = serializers.UUIDField()
    depth = serializers.IntegerField(help_text="0 = of the memory asked about, 1 = of its parents …")
    source_type = serializers.CharField()
    relation = serializers.CharField()
    method = serializers.CharField()
    author = serializers.CharField(allow_null=True)
    confidence = serializers.FloatField()
    parent_id = serializers.UUIDField(allow_null=True)
    turn = SpanAnswer(allow_null=True)
    intact = serializers.BooleanField(allow_null=True, help_text="false where the turn was altered.")


class ProvenanceAnswer(Plain):
    """A memory's walk to its sources."""

    memory_id = serializers.UUIDField()
    sources = StepAnswer(many=True)


class PlaybookAnswer(MemoryAnswer):
    """A playbook with its counts."""

    trigger = serializers.CharField()
    steps = serializers.ListField(child=serializers.CharField())
    revision = serializers.IntegerField()
    success_count = serializers.IntegerField()
    failure_count = serializers.IntegerField()


class PlaybooksAnswer(Plain):
    """A page of playbooks."""

    results = PlaybookAnswer(many=True)
    next = serializers.UUIDField(allow_null=True)


class SyncAnswer(Plain):
    """How far the search engine is behind."""

    pending = serializers.IntegerField(help_text="0 = everything is indexed and visible, but for dead letters.")
    oldest_s = serializers.FloatField(allow_null=True)
    dead_letters = serializers.IntegerField(
        help_text="Documents that the engine or the embedder will not take; an operator looks at them in the admin."
    )


class PassageAnswer(Plain):
    """A part of a long text, in code points, half-open."""

    start = serializers.IntegerField()
    end = serializers.IntegerField()


class Hit(Plain):
    """What every hit has, whatever its kind."""

    memory_id = serializers.UUIDField()
    memory_type = serializers.ChoiceField(choices=names.KINDS)
    score = serializers.FloatField(
        help_text="In [0, 1]: how likely it, or one behind it, answers the question; falls down the list."
    )
    source = serializers.DictField(  # type: ignore[assignment]
        allow_null=True,
        help_text="The turn that an episodic memory is, or the newest that a fact or a playbook was read from.",
    )
    passage = PassageAnswer(
        allow_null=True,
        help_text="Of a text of more than 1,000 characters, the part that fits the question best; null for others.",
    )
    kin = KinAnswer(required=False)
    explain = serializers.DictField(required=False)


class MemoryHit(Hit, MemoryFields):
    """A memory that was recalled."""

    tier = serializers.ChoiceField(
        choices=[HOT, WARM, COLD],
        help_text="How it was held before this recall. cold: archived, its text is a stub; memories/{id}/ has all.",
    )


class EntityHit(Hit, EntityFields):
    """An entity that was recalled."""


class RelationHit(Hit, RelationFields):
    """A relation that was recalled."""


class DocumentHit(Hit, DocumentFields):
    """A document of the catalog that was recalled."""


@extend_schema_field(
    PolymorphicProxySerializer(
        component_name="AnyHit",
        serializers=[MemoryHit, EntityHit, RelationHit, DocumentHit],
        resource_type_field_name=None,
        many=True,
    )
)
class Hits(serializers.ListField):
    """Hits of every kind, best first."""


class RecallAnswer(Plain):
    """The best memories, best first."""

    recall_id = serializers.UUIDField()
    results = Hits(child=serializers.DictField())
    match = serializers.ChoiceField(
        choices=["none", "weak", "strong"],
        help_text="By the best score. none: most likely nothing that is remembered answers the question.",
    )
    reason = serializers.ChoiceField(
        choices=["nothing_stored", "filtered", "expired_or_superseded", "below_threshold"], allow_null=True
    )
    degraded = serializers.ListField(
        child=serializers.ChoiceField(choices=["embedder", "search", "overlay", "reranker", "rewrite", "semantic"]),
        help_text="What did not answer, or not for all; the answer was made without it.",
    )
    took_ms = serializers.DictField(child=serializers.FloatField())
    prompt = PromptAnswer(required=False)
    explain = serializers.DictField(required=False)
