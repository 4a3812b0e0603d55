"""Reviews: what the rules were not sure of, to accept or reject."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import Truncator

from consolidation.admin.decisions import memory_link
from consolidation.models import ReviewItem
from consolidation.models.review_item import ReviewKind
from consolidation.services.merge import NotMergeable
from consolidation.services.review import SHOWN, ReviewClosed, accept_review, reject_review
from memories.admin.memories import SHORT
from memories.models import Entity, Memory
from memories.models.memory import Status
from memories.services.conflicts import SlotTaken, TextTaken
from memories.services.find_memory import MemoryNotOpen
from tenants.admin.glyphs import with_glyph
from tenants.admin.scoped import ScopedAdmin
from tenants.admin.site import site
from tenants.admin.visit import may, scope_of
from tenants.scope import Ability, Scope

_REFUSALS = (ReviewClosed, NotMergeable, MemoryNotOpen, SlotTaken, TextTaken, ReviewItem.DoesNotExist)


@admin.register(ReviewItem, site=site)
class ReviewAdmin(ScopedAdmin[ReviewItem]):
    """The queue: what was said, what would be believed, and what it contradicts."""

    noun = "review"
    list_display = ("said", "trust", "kind", "condition", "memory_text", "met_text", "user_id", "opened_at")
    list_display_links = ("said",)
    list_filter = ("state", "kind")
    list_select_related = SHOWN
    search_fields = ("subject__external_id",)
    search_help_text = "Search in user ids"
    ordering = ("-opened_at", "-id")
    fields = (
        "said",
        "trust",
        "kind",
        "condition",
        "memory_page",
        "met_page",
        "user_id",
        "opened_at",
        "decided_at",
        "id",
    )
    merge_fields = ("one_entity", "other_one", "kind", "condition", "user_id", "opened_at", "decided_at", "id")
    actions = ("accept", "reject")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ReviewItem]:
        """Read along what a page shows of other rows."""
        return super().get_queryset(request).select_related(*SHOWN)

    def get_fieldsets(self, request: HttpRequest, obj: ReviewItem | None = None) -> Any:
        """Show of two entities what they are, and of all else what would be believed."""
        if obj is not None and obj.kind == ReviewKind.MERGE:
            return [(None, {"fields": self.merge_fields})]
        return super().get_fieldsets(request, obj)

    def heading(self, row: ReviewItem) -> str:
        """Return what was said."""
        return self.said(row)

    def has_decide_permission(self, request: HttpRequest) -> bool:
        """Ask for what deciding needs: a viewer looks and changes nothing."""
        return may(request, Ability.REVIEW) and may(request, Ability.MEMORIES_WRITE)

    @admin.display(description="said")
    def said(self, row: ReviewItem) -> str:
        """Return the beginning of the turn."""
        if row.entity is not None and row.other_entity is not None:
            return Truncator(f"{row.entity.name} = {row.other_entity.name}?").chars(SHORT)
        return Truncator(row.turn.content).chars(SHORT) if row.turn else self.memory_text(row)

    @admin.display(description="trust")
    def trust(self, row: ReviewItem) -> str:
        """Return how far the turn is trusted."""
        return row.turn.trust if row.turn else ""

    @admin.display(description="state", ordering="state")
    def condition(self, row: ReviewItem) -> Any:
        """Return the state."""
        return with_glyph(row.state)

    @admin.display(description="would be believed")
    def memory_text(self, row: ReviewItem) -> str:
        """Return the text of the pending memory, or what two entities would be."""
        if row.entity is not None and row.other_entity is not None:
            return Truncator(f"{row.other_entity.name} is {row.entity.name}").chars(SHORT)
        return Truncator(row.memory.text).chars(SHORT) if row.memory else ""

    @admin.display(description="contradicts")
    def met_text(self, row: ReviewItem) -> str:
        """Return the text of what it contradicts."""
        return Truncator(row.met.text).chars(SHORT) if row.met else ""

    @admin.display(description="would be believed")
    def memory_page(self, row: ReviewItem) -> Any:
        """Return the way to the pending memory."""
        return memory_link(row.memory)

    @admin.display(description="contradicts")
    def met_page(self, row: ReviewItem) -> Any:
        """Return the way to what it contradicts."""
        return memory_link(row.met)

    @admin.display(description="one")
    def one_entity(self, row: ReviewItem) -> str:
        """Return the entity that stays."""
        return _described(row.entity)

    @admin.display(description="the other")
    def other_one(self, row: ReviewItem) -> str:
        """Return the entity that would go into it."""
        return _described(row.other_entity)

    @admin.display(description="user", ordering="subject__external_id")
    def user_id(self, row: ReviewItem) -> str:
        """Return who said it."""
        return str(row.subject.external_id) if row.subject else ""

    @admin.action(description="Accept: believe it, or merge", permissions=["decide"])
    def accept(self, request: HttpRequest, queryset: Any) -> None:
        """Believe the memories of the chosen ones."""
        _decide(request, queryset, lambda scope, pk: accept_review(scope, pk, now=timezone.now()), "accepted")

    @admin.action(description="Reject: never believe it, nor merge", permissions=["decide"])
    def reject(self, request: HttpRequest, queryset: Any) -> None:
        """Reject the memories of the chosen ones."""
        _decide(request, queryset, lambda scope, pk: reject_review(scope, pk, now=timezone.now()), "rejected")


def _described(entity: Entity | None) -> str:
    """Return what tells an entity from another: its type, its names, and how much is known of it."""
    if entity is None:
        return ""
    aliases = f", also {', '.join(entity.aliases)}" if entity.aliases else ""
    known = [f"{name}: {value}" for name, value in sorted(entity.attributes.items())]
    count = Memory.objects.filter(entity_id=entity.id, status=Status.ACTIVE).count()
    about = f"{count} {'memory' if count == 1 else 'memories'} about it"
    return "; ".join([f"{entity.name}{aliases} ({entity.entity_type})", *known, about])


def _decide(request: HttpRequest, queryset: Any, verb: Callable[[Scope, UUID], ReviewItem], said: str) -> None:
    """Decide on each of the chosen ones, and say what came of it."""
    done, refused = 0, []
    for pk in list(queryset.values_list("id", flat=True)):
        try:
            verb(scope_of(request), pk)
            done += 1
        except _REFUSALS as error:
            refused.append(str(error))
    if done:
        messages.success(request, f"{done} {'review was' if done == 1 else 'reviews were'} {said}.")
    for reason in refused:
        messages.warning(request, f"Not {said}: {reason}.")
