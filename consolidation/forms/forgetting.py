"""What would be forgotten, as JSON."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from backends.search import names
from consolidation.services.fading import FADED, UNUSED, Figure
from consolidation.services.forget import PREVIEW_MAX, Preview
from tenants.forms.moments import iso

Plain = serializers.Serializer[Any]
SAMPLES = 20


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
    samples = FigureAnswer(many=True, help_text=f"The weakest, at most {SAMPLES}.")


class SummarisedAnswer(Plain):
    """What would be compressed into summaries."""

    conversations = serializers.IntegerField()
    episodes = serializers.IntegerField(help_text="They would be archived in favour of the summaries.")


class ForgettingPreviewAnswer(Plain):
    """What forgetting would do now."""

    summarise = SummarisedAnswer()
    archive = ForgottenAnswer()
    delete = ForgottenAnswer()


def rendered_preview(found: Preview) -> dict[str, Any]:
    """Return what forgetting would do now."""
    episodes = sum(len(one.memory_ids) for one in found.summarise)
    return {
        "summarise": {"conversations": len(found.summarise), "episodes": episodes},
        "archive": _told(found.archive),
        "delete": _told(found.delete),
    }


def _told(figures: Sequence[Figure]) -> dict[str, Any]:
    weakest = sorted(figures, key=lambda figure: (figure.strength, figure.id))[:SAMPLES]
    return {
        "memories": len(figures),
        "more": len(figures) == PREVIEW_MAX,
        "by_type": dict(sorted(Counter(figure.memory_type for figure in figures).items())),
        "samples": [
            {
                "memory_id": str(figure.id),
                "memory_type": figure.memory_type,
                "importance": round(figure.importance, 6),
                "strength": round(figure.strength, 6),
                "accessed_at": iso(figure.accessed_at),
                "why": figure.why,
            }
            for figure in weakest
        ],
    }
