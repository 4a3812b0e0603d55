"""What every page about rows of a tenant has in common: it shows, and what it changes goes through services."""

from datetime import MAXYEAR
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from uuid import UUID

from django.contrib.admin.utils import flatten_fieldsets
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone

from tenants.admin.visit import may, scope_of
from tenants.models import Subject
from tenants.scope import Ability
from tenants.services.note_event import note_event

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin
else:
    from unfold.admin import ModelAdmin as UnfoldAdmin

    class ModelAdmin(UnfoldAdmin):
        """Unfold's, with a parameter for the type checker."""

        def __class_getitem__(cls, row: type) -> type:
            return cls


Row = TypeVar("Row", bound=Model)


class ScopedAdmin(ModelAdmin[Row]):
    """A list and a page for each row, read-only. Row-level security keeps tenants apart, not a filter here.

    sees: the ability without which the page does not exist for a user. noun: of the events that are noted.
    notes: whether looking is on the record; so for all that shows what people said. add_words: on the button.
    linked_lookups: what links of our own pages narrow the list by, beside its filters.
    """

    sees: ClassVar[Ability] = Ability.MEMORIES_READ
    noun: ClassVar[str]
    notes: ClassVar[bool] = True
    add_words: ClassVar[str] = "Add"
    linked_lookups: ClassVar[tuple[str, ...]] = ()

    actions: Any = None
    show_full_result_count = False
    list_per_page = 50
    list_max_show_all = 0  # pages, always
    view_on_site = False

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show the section to whom its rows are shown."""
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        """Ask the role in the chosen tenant; Django's own permissions know no tenants."""
        return may(request, self.sees)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse, unless a page says otherwise."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        """Refuse: services change rows."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        """Refuse: services end rows."""
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Allow what the list's own filters ask; Django allows every column of the row, shown or not.

        A date's part has at most four digits, and the last year is refused: its end lies beyond the calendar.
        """
        names = [str(name) for name in self.list_filter]
        asked = {f"{name}{ending}" for name in names for ending in ("", "__exact", "__isnull")}
        if lookup in asked.union(self.linked_lookups):
            return True
        dates = {f"{self.date_hierarchy}__{part}" for part in ("year", "month", "day")} if self.date_hierarchy else {}
        return lookup in dates and value.isdecimal() and len(value) <= len(str(MAXYEAR)) and int(value) < MAXYEAR

    def get_readonly_fields(self, request: HttpRequest, obj: Row | None = None) -> list[str]:
        """Return all fields."""
        return [str(field) for field in flatten_fieldsets(self.get_fieldsets(request, obj))]

    def get_fieldsets(self, request: HttpRequest, obj: Row | None = None) -> Any:
        """Return the declared ones; the default would ask get_readonly_fields."""
        return self.fieldsets or [(None, {"fields": self.fields or ()})]

    def heading(self, row: Row) -> str:
        """Return what a row's own page is called."""
        return str(row)

    def subject_of(self, row: Row) -> Subject | None:
        """Return whose row it is, for the event."""
        return getattr(row, "subject", None)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the list, and note which rows it showed."""
        response = super().changelist_view(request, extra_context)
        shown = getattr(response, "context_data", None)
        if shown and "cl" in shown and self.notes:
            rows = shown["cl"]
            ids: list[UUID] = [row.pk for row in rows.result_list]
            data = {"searched": bool(rows.query), "page": rows.page_num}
            note_event(scope_of(request), f"{self.noun}.listed", object_ids=ids, data=data, now=timezone.now())
        return response

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show a row, and note that it was seen."""
        response = super().change_view(request, object_id, form_url, extra_context)
        shown = getattr(response, "context_data", None)
        if shown and shown.get("original"):
            row = shown["original"]
            shown["subtitle"] = self.heading(row)
            if self.notes:
                note_event(
                    scope_of(request),
                    f"{self.noun}.viewed",
                    object_ids=[row.pk],
                    subject=self.subject_of(row),
                    now=timezone.now(),
                )
        return response

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Refuse: the history is the event log."""
        raise Http404

    def log_addition(self, request: HttpRequest, obj: Row, message: Any) -> Any:
        """Write nothing: the admin's own log would keep names of a tenant's rows outside its walls."""

    def log_change(self, request: HttpRequest, obj: Row, message: Any) -> Any:
        """Write nothing, for the same reason."""

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Write nothing, for the same reason."""
