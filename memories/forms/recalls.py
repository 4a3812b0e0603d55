"""A stored recall, its replay, and how two answers differ, as JSON."""

from typing import Any

from rest_framework import serializers

from backends.search import names
from memories.differences import Move, Setting
from memories.ranking import Outcome
from memories.services.replay import Replayed
from tenants.forms.moments import iso

Plain = serializers.Serializer[Any]


class PlacedAnswer(Plain):
    """One memory in its place."""

    memory_id = serializers.UUIDField()
    memory_type = serializers.ChoiceField(choices=names.KINDS)
    score = serializers.FloatField()


class RecallLogAnswer(Plain):
    """A stored recall."""

    recall_id = serializers.UUIDField()
    user_id = serializers.CharField(allow_null=True)
    question = serializers.DictField()
    asked_at = serializers.DateTimeField()
    policy_version = serializers.IntegerField()
    engine = serializers.CharField()
    embedder = serializers.CharField()
    reason = serializers.CharField(allow_null=True)
    degraded = serializers.ListField(child=serializers.CharField())
    took_ms = serializers.DictField(child=serializers.FloatField())
    results = PlacedAnswer(many=True, help_text="As computed again from the numbers that were logged.")
    wordings = serializers.ListField(
        child=serializers.CharField(), help_text="Other wordings of the question that were looked for too."
    )
    candidates = serializers.IntegerField()
    identical = serializers.BooleanField(help_text="Whether that is the answer that was given, to the last bit.")


class MoveAnswer(Plain):
    """A memory whose place differs; null = not in that answer."""

    memory_id = serializers.UUIDField()
    memory_type = serializers.ChoiceField(choices=names.KINDS)
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)
    words = serializers.CharField()


class SettingAnswer(Plain):
    """A key of the policy that differs."""

    name = serializers.CharField()
    before = serializers.JSONField()
    after = serializers.JSONField()
    words = serializers.CharField()


class DifferenceAnswer(Plain):
    """How another answer differs from the one that was given."""

    recall_id = serializers.UUIDField()
    other_recall_id = serializers.UUIDField(allow_null=True, help_text="Of the question asked anew.")
    results = PlacedAnswer(many=True, help_text="The other answer.")
    moves = MoveAnswer(many=True)
    policy = SettingAnswer(many=True)


def rendered_log(replayed: Replayed) -> dict[str, Any]:
    """Return a stored recall with its answer computed again."""
    log = replayed.log
    return {
        "recall_id": str(log.id),
        "user_id": log.subject.external_id if log.subject else None,
        "question": log.question,
        "asked_at": iso(log.asked_at),
        "policy_version": log.policy_version,
        "engine": log.engine,
        "embedder": log.model,
        "reason": log.reason or None,
        "degraded": log.degraded,
        "took_ms": log.took_ms,
        "results": rendered_outcome(replayed.outcome),
        "wordings": list(replayed.kept.wordings),
        "candidates": len(replayed.kept.pool.candidates),
        "identical": replayed.identical,
    }


def rendered_difference(
    replayed: Replayed, other: Outcome, moved: list[Move], changed: list[Setting], *, other_id: str | None
) -> dict[str, Any]:
    """Return how another answer differs."""
    return {
        "recall_id": str(replayed.log.id),
        "other_recall_id": other_id,
        "results": rendered_outcome(other),
        "moves": [
            {
                "memory_id": str(move.id),
                "memory_type": move.kind,
                "before": move.before,
                "after": move.after,
                "words": move.words,
            }
            for move in moved
        ],
        "policy": [
            {"name": one.name, "before": one.before, "after": one.after, "words": one.words} for one in changed
        ],
    }


def rendered_outcome(outcome: Outcome) -> list[dict[str, Any]]:
    """Return an answer as ids and scores."""
    return [
        {"memory_id": str(one.id), "memory_type": one.ranked.candidate.kind, "score": round(score, 6)}
        for one, score in outcome.chosen
    ]
