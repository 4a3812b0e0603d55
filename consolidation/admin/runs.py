"""Runs: when whose episodes were consolidated, to look at."""

from typing import Any

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode

from consolidation.models import Run
from memories.services.cost import money
from tenants.admin.glyphs import with_glyph
from tenants.admin.scoped import ScopedAdmin
from tenants.admin.site import site


@admin.register(Run, site=site)
class RunAdmin(ScopedAdmin[Run]):
    """Runs, newest first, with what they decided."""

    noun = "run"
    list_display = ("started_at", "user_id", "condition", "reason", "episodes", "decided")
    list_filter = ("state", "reason")
    list_select_related = ("subject",)
    search_fields = ("subject__external_id",)
    search_help_text = "Search in user ids"
    ordering = ("-started_at", "-id")
    fields = (
        "user_id", "condition", "reason", "extractor", "episodes", "decided", "decisions", "prompt_tokens",
        "completion_tokens", "price", "error", "started_at", "finished_at", "compartments", "id",
    )  # fmt: skip

    def heading(self, row: Run) -> str:
        """Return when it began."""
        return f"{row.started_at:%d %b %Y, %H:%M}"

    @admin.display(description="user", ordering="subject__external_id")
    def user_id(self, row: Run) -> str:
        """Return whose episodes it read."""
        return str(row.subject.external_id)

    @admin.display(description="state", ordering="state")
    def condition(self, row: Run) -> Any:
        """Return the state."""
        return with_glyph(row.state)

    @admin.display(description="cost")
    def price(self, row: Run) -> str:
        """Return what the model cost."""
        cost = money(row.cost)
        if cost is not None:
            return f"{cost} {row.currency}"
        return "unknown" if "+" in row.extractor else "none"

    @admin.display(description="decided")
    def decided(self, row: Run) -> str:
        """Return how many decisions of which verdict."""
        return ", ".join(f"{count} {verdict}" for verdict, count in sorted(row.counts.items())) or "nothing"

    @admin.display(description="decisions")
    def decisions(self, row: Run) -> Any:
        """Return the way to its decisions."""
        url = reverse("admin:consolidation_decision_changelist")
        return format_html('<a href="{}?{}">show them</a>', url, urlencode({"run__id__exact": str(row.id)}))
