"""Memories: what agents may recall, to look at."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.text import Truncator

from memories.models import Memory, Source
from tenants.admin.glyphs import with_glyph
from tenants.admin.scoped import ScopedAdmin
from tenants.admin.site import site

SHORT = 120


@admin.register(Memory, site=site)
class MemoryAdmin(ScopedAdmin[Memory]):
    """A memory is corrected by a new one, never edited."""

    noun = "memory"
    linked_lookups = ("subject__id__exact",)
    list_display = ("short_text", "kind", "state", "user_id", "valid_from", "recorded_at")
    list_display_links = ("short_text",)
    list_filter = ("memory_type", "status")
    list_select_related = ("subject",)
    search_fields = ("text", "subject__external_id")
    search_help_text = "Search in texts and user ids"
    ordering = ("-recorded_at", "-id")
    fieldsets = (
        (None, {"fields": ("text", "kind", "state", "user_id", "entity_name", "slot", "author", "agent_id")}),
        ("Where it came from", {"fields": ("turn_link", "turn_text", "sources", "session_link", "context")}),
        ("Time", {"fields": ("valid_from", "valid_to", "recorded_at", "accepted_at", "closed_at", "expires_at")}),
        ("What replaced it", {"fields": ("successor", "contradiction", "original")}),
        ("Record", {"fields": ("id", "compartments", "tags", "version", "doc_version")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Memory]:
        """Read along what a page shows of other rows; compartments are the record's own wall."""
        return super().get_queryset(request).select_related("subject", "turn", "session", "entity")

    def heading(self, row: Memory) -> str:
        """Return the beginning of the text."""
        return self.short_text(row)

    @admin.display(description="text")
    def short_text(self, row: Memory) -> str:
        """Return the beginning of the text."""
        return Truncator(row.text).chars(SHORT)

    @admin.display(ordering="memory_type")
    def kind(self, row: Memory) -> Any:
        """Return episodic, semantic or procedural."""
        return with_glyph(row.memory_type)

    @admin.display(ordering="status")
    def state(self, row: Memory) -> Any:
        """Return the status."""
        return with_glyph(row.status)

    @admin.display(description="user", ordering="subject__external_id")
    def user_id(self, row: Memory) -> str:
        """Return whose memory it is."""
        return row.subject.external_id if row.subject else "shared by all"

    @admin.display(description="about")
    def entity_name(self, row: Memory) -> str:
        """Return what it is about."""
        return f"{row.entity.name} ({row.entity.entity_type})" if row.entity else ""

    @admin.display(description="turn")
    def turn_link(self, row: Memory) -> Any:
        """Return the turn it came from."""
        if row.turn is None:
            return ""
        url = reverse("admin:memories_turn_change", args=[row.turn.id])
        return format_html('<a href="{}">{}, turn {}</a>', url, row.turn.speaker or row.turn.role, row.turn.position)

    @admin.display(description="as it was said")
    def turn_text(self, row: Memory) -> str:
        """Return the turn's whole text."""
        return row.turn.content if row.turn else ""

    @admin.display(description="other evidence")
    def sources(self, row: Memory) -> Any:
        """Return the spans of turns and the memories it rests on, the words themselves first."""
        edges = Source.objects.filter(memory=row).select_related("turn").order_by("id")
        shown = [_evidence(edge) for edge in edges if edge.turn or edge.parent_id]
        return format_html_join("", '<a href="{}">{}</a><br>', shown)

    @admin.display(description="session")
    def session_link(self, row: Memory) -> Any:
        """Return the conversation it came from."""
        if row.session is None:
            return ""
        url = reverse("admin:memories_session_change", args=[row.session.id])
        return format_html('<a href="{}">{}</a>', url, row.session.external_id)

    @admin.display(description="superseded by")
    def successor(self, row: Memory) -> Any:
        """Return the memory that replaced it."""
        return _memory_link(row.superseded_by_id)

    @admin.display(description="copy of")
    def original(self, row: Memory) -> Any:
        """Return the closed memory that it restores."""
        return _memory_link(row.restores_id)


def _memory_link(memory_id: Any) -> Any:
    if memory_id is None:
        return ""
    return format_html('<a href="{}">{}</a>', reverse("admin:memories_memory_change", args=[memory_id]), memory_id)


def _evidence(edge: Source) -> tuple[str, str]:
    """Return where an edge of provenance leads, and what stands there."""
    relation = edge.relation if edge.voided_at is None else f"{edge.relation}, reverted"
    if edge.turn is None:
        return reverse("admin:memories_memory_change", args=[edge.parent_id]), f"{relation}: {edge.parent_id}"
    words = Truncator(edge.turn.content[edge.span_start : edge.span_end]).chars(SHORT)
    return reverse("admin:memories_turn_change", args=[edge.turn_id]), f"{relation}: “{words}”"
