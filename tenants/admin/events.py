"""Events: the tenant's audit log."""

import json

from django.contrib import admin

from tenants.admin.scoped import ScopedAdmin
from tenants.admin.site import site
from tenants.models import Event
from tenants.scope import Ability


@admin.register(Event, site=site)
class EventAdmin(ScopedAdmin[Event]):
    """What happened, newest first; append-only by trigger."""

    sees = Ability.COMPLIANCE
    noun = "event"
    notes = False  # a look at the log would be an entry in it, without end
    list_display = ("at", "kind", "actor", "who", "said")
    list_filter = ("kind", "actor")
    search_fields = ("kind", "request_id")
    date_hierarchy = "at"
    ordering = ("-at", "-id")
    fields = ("at", "kind", "actor", "who", "request_id", "purpose", "object_ids", "said", "id", "seq")

    @admin.display(description="by")
    def who(self, row: Event) -> str:
        """Return the key or the user that acted, by id."""
        if row.key_id is not None:
            return f"key …{str(row.key_id)[-12:]}"
        staff_id = row.data.get("staff_id")
        return f"user {staff_id}" if staff_id is not None else ""

    @admin.display(description="data")
    def said(self, row: Event) -> str:
        """Return the counts, states and codes of the event."""
        shown = {name: value for name, value in row.data.items() if name != "staff_id"}
        return json.dumps(shown, ensure_ascii=False) if shown else ""
