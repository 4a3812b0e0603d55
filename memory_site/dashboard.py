"""The overview of the admin: how much the chosen tenant has, and what to do first."""

from typing import Any

from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from memories.models import Memory, Session, Turn
from memories.services.backlog import backlog
from tenants.admin.visit import scope_of
from tenants.models import ApiKey, Subject


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add counts, how far the search engine is behind, and first steps where nothing is stored yet."""
    now = timezone.now()
    live = ApiKey.objects.filter(Q(expires_at__isnull=True) | Q(expires_at__gt=now), revoked_at__isnull=True)
    turns = Turn.objects.count()
    counts = (
        ("active memories", Memory.objects.active().count(), "memories_memory_changelist"),
        ("sessions", Session.objects.count(), "memories_session_changelist"),
        ("turns", turns, "memories_turn_changelist"),
        ("subjects", Subject.objects.count(), "tenants_subject_changelist"),
        ("live API keys", live.count(), "tenants_apikey_changelist"),
    )
    behind = backlog(scope_of(request), now=now)
    sync_line = "Everything is in the search engine."
    if behind.oldest_s is not None:
        sync_line = f"{behind.pending} on the way to the search engine, the oldest for {behind.oldest_s:.0f} s."
    return {
        **context,
        "cards": [
            {"label": label, "count": count, "link": reverse(f"admin:{name}")} for label, count, name in counts
        ],
        "sync_line": sync_line,
        "turns_url": request.build_absolute_uri("/api/v1/turns/"),
        "steps": [] if turns else ["Issue an API key.", "Give it to an agent.", "Send the first turn:"],
    }
