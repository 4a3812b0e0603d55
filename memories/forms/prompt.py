"""A recall's answer as a block of text for a model's prompt."""

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from memories.lines import stub
from memories.models import CatalogDocument, Entity, Memory, Relation
from memories.models.memory import Status
from memories.passages import Span
from memories.prompt import MEMORY_MAX_LENGTH, PASSAGE_SHOWN, Item, assembled, excerpt
from memories.services.answer_recall import Recalled
from tenants.scope import Ability, Scope


class PromptAnswer(serializers.Serializer[Any]):
    """The block for a model's prompt."""

    text = serializers.CharField()
    tokens = serializers.IntegerField(help_text="About how many; the budget is counted in the same way.")
    items = serializers.IntegerField(help_text="How many of the results are in it, best first.")


def rendered_prompt(
    scope: Scope, recalled: Recalled, *, profile: Sequence[Item] = (), question: str, max_tokens: int | None
) -> dict[str, Any]:
    """Return the block of an answer, with a user's profile before it where given."""
    items = [_item(scope, hit.row, hit.passage) for hit in recalled.hits]
    prompt = assembled(items, profile=profile, question=question, max_tokens=max_tokens)
    return {"text": prompt.text, "tokens": prompt.tokens, "items": prompt.items}


def _item(scope: Scope, row: Any, passage: Span | None) -> Item:
    most = MEMORY_MAX_LENGTH if passage is None else PASSAGE_SHOWN
    if isinstance(row, Memory):
        told = Ability.PROVENANCE_READ in scope.abilities
        return Item(
            kind=row.kind,
            text=stub(row.text) if row.status == Status.ARCHIVED else excerpt(row.text, passage),
            max_length=most,
            since=row.valid_from,
            confidence=1.0 if "confidence" in scope.hidden_fields else row.confidence,
            source=row.author if told and row.turn_id is not None else "",
        )
    if isinstance(row, Relation):
        text = f"{row.subject_entity.name} {row.predicate} {row.object_entity.name}"
        return Item(kind=row.kind, text=text, since=row.valid_from)
    if isinstance(row, Entity):
        names = ", ".join([row.name, *row.aliases])
        return Item(kind=row.kind, text=f"{names} ({row.entity_type})")
    if isinstance(row, CatalogDocument):
        text = excerpt(row.text, passage)
        titled = ": ".join(part for part in (row.title, text) if part)
        return Item(kind=row.kind, text=titled, max_length=most + len(titled) - len(text) if passage else most)
    raise TypeError(type(row).__name__)
