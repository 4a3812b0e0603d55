"""Golden questions as JSON."""

from typing import Any

from rest_framework import serializers

from memories.forms.question_input import TOP_K, TOP_K_MAX, QuestionInput
from memories.models import GoldenQuestion
from memories.services.golden import Checked
from tenants.forms.moments import iso
from tenants.forms.strict import ShortListField

Plain = serializers.Serializer[Any]


class GoldenInput(QuestionInput):
    """A question whose right answers are known."""

    expected = ShortListField(
        child=serializers.UUIDField(),
        max_length=TOP_K_MAX,
        help_text="Ids of memories that must be in the answer; empty: the answer must say that nothing matches.",
    )
    within = serializers.IntegerField(
        min_value=1, max_value=TOP_K_MAX, default=TOP_K, help_text="Among how many of the first."
    )


class GoldenAnswer(Plain):
    """A golden question."""

    id = serializers.UUIDField()
    user_id = serializers.CharField(allow_null=True)
    question = serializers.DictField()
    expected = serializers.ListField(child=serializers.UUIDField())
    within = serializers.IntegerField()
    created_at = serializers.DateTimeField()


class GoldensAnswer(Plain):
    """The tenant's golden questions."""

    results = GoldenAnswer(many=True)


class CheckedAnswer(GoldenAnswer):
    """How a golden question came out."""

    passed = serializers.BooleanField()
    missing = serializers.ListField(child=serializers.UUIDField())
    match = serializers.ChoiceField(choices=["none", "weak", "strong"])


class CheckAnswer(Plain):
    """How all came out."""

    passed = serializers.IntegerField()
    failed = serializers.IntegerField()
    results = CheckedAnswer(many=True)


def rendered_golden(golden: GoldenQuestion) -> dict[str, Any]:
    """Return a golden question."""
    return {
        "id": str(golden.id),
        "user_id": golden.subject.external_id if golden.subject else None,
        "question": golden.question,
        "expected": [str(memory_id) for memory_id in golden.expected_ids],
        "within": golden.within,
        "created_at": iso(golden.created_at),
    }


def rendered_check(checked: list[Checked]) -> dict[str, Any]:
    """Return how golden questions came out."""
    passed = sum(one.passed for one in checked)
    return {
        "passed": passed,
        "failed": len(checked) - passed,
        "results": [
            {
                **rendered_golden(one.golden),
                "passed": one.passed,
                "missing": [str(memory_id) for memory_id in one.missing],
                "match": one.match,
            }
            for one in checked
        ],
    }
