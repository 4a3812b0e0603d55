"""The sidebar of the admin: its pages in the order of a day's work, and only those the user's role shows."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from tenants.admin.site import site
from tenants.admin.visit import visit_of

GROUPS = (
    ("", (("Overview", "dashboard", "index"),)),
    (
        "Memory",
        (
            ("Memories", "neurology", "memories_memory_changelist"),
            ("Sessions", "forum", "memories_session_changelist"),
            ("Turns", "chat_bubble", "memories_turn_changelist"),
            ("Reviews", "rule", "consolidation_reviewitem_changelist"),
            ("Decisions", "gavel", "consolidation_decision_changelist"),
            ("Runs", "bedtime", "consolidation_run_changelist"),
            ("Subjects", "person", "tenants_subject_changelist"),
            ("Dead letters", "unsubscribe", "memories_outboxentry_changelist"),
        ),
    ),
    (
        "Tenant",
        (
            ("API keys", "key", "tenants_apikey_changelist"),
            ("Key templates", "style", "tenants_keytemplate_changelist"),
            ("Members", "group", "tenants_membership_changelist"),
            ("Events", "history", "tenants_event_changelist"),
            ("This tenant", "apartment", "tenants_tenant_changelist"),
        ),
    ),
)
BEFORE_THE_CHOICE = (("", (("Choose a tenant", "apartment", "choose_tenant"),)),)


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the groups of links; before a tenant is chosen, only the way to choose one."""
    shown = {f"{model._meta.app_label}_{model._meta.model_name}_changelist": page for model, page in _pages()}
    groups = []
    place = visit_of(request).place
    for title, links in GROUPS if visit_of(request).scope else BEFORE_THE_CHOICE:
        items = [
            {"title": label, "icon": icon, "link": reverse(f"admin:{name}")}
            for label, icon, name in links
            if name not in shown or shown[name].has_view_permission(request)
        ]
        if place is not None and not title:
            items.append({"title": "Live", "icon": "sensors", "link": reverse("inspector:live", args=[place.slug])})
        groups.append({"title": title, "items": items, "separator": bool(title)})
    return groups


def _pages() -> Any:
    return site._registry.items()
