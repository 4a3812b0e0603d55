"""Decisions: what was made of each episode and why, to look at."""

from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import Truncator

from consolidation.models import Decision
from consolidation.services.revert_later import revert_or_ask
from consolidation.services.root import root_of_turn
from memories.admin.memories import SHORT
from memories.models import Memory
from tenants.admin.glyphs import with_glyph
from tenants.admin.scoped import ScopedAdmin
from tenants.admin.site import site
from tenants.admin.visit import may, scope_of
from tenants.models import Job
from tenants.scope import Ability


@admin.register(Decision, site=site)
class DecisionAdmin(ScopedAdmin[Decision]):
    """Decisions, newest first: the words, the verdict, and the memory."""

    noun = "decision"
    sees = Ability.PROVENANCE_READ
    list_display = ("words", "outcome", "why", "memory_text", "user_id", "decided_at")
    list_display_links = ("words",)
    list_filter = ("verdict",)
    linked_lookups = ("run__id__exact", "subject__id__exact")
    list_select_related = ("subject", "turn", "memory")
    search_fields = ("subject__external_id", "rule")
    search_help_text = "Search in user ids and rules"
    ordering = ("-decided_at", "-id")
    fields = (
        "words", "outcome", "why", "rule", "confidence", "turn_link", "memory_link", "met_link", "user_id",
        "decided_at", "run", "id",
    )  # fmt: skip

    actions = ("revert_turn",)

    def has_revert_permission(self, request: HttpRequest) -> bool:
        """Ask for what reverting needs: a viewer looks and changes nothing."""
        return may(request, Ability.REVIEW) and may(request, Ability.MEMORIES_WRITE)

    @admin.action(description="Take back all that came of the turn", permissions=["revert"])
    def revert_turn(self, request: HttpRequest, queryset: Any) -> None:
        """Revert the turns of the chosen ones, each once; what is much becomes a job of the worker's."""
        turns = list(dict.fromkeys(queryset.order_by("id").values_list("turn_id", flat=True)))
        for turn_id in turns:
            made = revert_or_ask(scope_of(request), root_of_turn, turn_id, now=timezone.now())
            name = "job" if isinstance(made, Job) else "receipt"
            messages.success(request, f"What came of turn {turn_id} was taken back: {name} {made.id}.")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Decision]:
        """Read along what a page shows of other rows."""
        return super().get_queryset(request).select_related("subject", "turn", "memory", "met", "run")

    def heading(self, row: Decision) -> str:
        """Return the words."""
        return self.words(row)

    @admin.display(description="said")
    def words(self, row: Decision) -> str:
        """Return the words that were read; of a turn without a candidate all of it."""
        return Truncator(row.turn.content[row.start : row.end]).chars(SHORT)

    @admin.display(description="verdict", ordering="verdict")
    def outcome(self, row: Decision) -> Any:
        """Return the verdict."""
        return with_glyph(row.verdict)

    @admin.display(description="memory")
    def memory_text(self, row: Decision) -> str:
        """Return the text of the memory that was written or met."""
        return Truncator(row.memory.text).chars(SHORT) if row.memory else ""

    @admin.display(description="user", ordering="subject__external_id")
    def user_id(self, row: Decision) -> str:
        """Return who said it."""
        return str(row.subject.external_id)

    @admin.display(description="turn")
    def turn_link(self, row: Decision) -> Any:
        """Return the way to the turn."""
        return _link("admin:memories_turn_change", row.turn_id, row.turn.content)

    @admin.display(description="memory")
    def memory_link(self, row: Decision) -> Any:
        """Return the way to the memory that was written or changed."""
        return memory_link(row.memory)

    @admin.display(description="met")
    def met_link(self, row: Decision) -> Any:
        """Return the way to the memory that the candidate met."""
        return memory_link(row.met)


def memory_link(memory: Memory | None) -> Any:
    """Return the way to a memory, by its words; empty where there is none."""
    return _link("admin:memories_memory_change", memory.id, memory.text) if memory is not None else ""


def _link(view: str, row_id: UUID, words: str) -> Any:
    return format_html('<a href="{}">{}</a>', reverse(view, args=[row_id]), Truncator(words).chars(SHORT))
