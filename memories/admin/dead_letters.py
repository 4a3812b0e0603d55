"""Dead letters: documents that the engine or the embedder will not take, to look at and to try again."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from memories.models import OutboxEntry
from memories.services.dead_letters import retry_dead_letters
from tenants.admin.scoped import ScopedAdmin
from tenants.admin.site import site
from tenants.admin.visit import may, scope_of
from tenants.scope import Ability


@admin.register(OutboxEntry, site=site)
class DeadLetterAdmin(ScopedAdmin[OutboxEntry]):
    """What was given up, by ids and codes; the text is on the page of the memory."""

    noun = "document"
    notes = False
    list_display = ("object_id", "kind", "error", "failures", "step", "dead_at")
    list_filter = ("kind", "error")
    ordering = ("-dead_at", "-id")
    fields = ("object_id", "kind", "error", "failures", "step", "created_at", "dead_at", "doc_version", "id")
    actions = ("retry",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[OutboxEntry]:
        """Leave out what is on its way."""
        return super().get_queryset(request).filter(dead_at__isnull=False)

    def has_retry_permission(self, request: HttpRequest) -> bool:
        """Ask for what writing needs: a viewer looks and changes nothing."""
        return may(request, Ability.MEMORIES_WRITE)

    @admin.display(description="given up by")
    def step(self, row: OutboxEntry) -> str:
        """Return which step would not take it."""
        return "embedding: found by words, not by meaning" if row.awaiting_vector else "indexing: not in the engine"

    @admin.action(description="Try again", permissions=["retry"])
    def retry(self, request: HttpRequest, queryset: Any) -> None:
        """Make the chosen ones due again."""
        ids = list(queryset.values_list("id", flat=True))
        retried = retry_dead_letters(scope_of(request), ids=ids, now=timezone.now())
        messages.success(request, f"{retried} documents are tried again.")
