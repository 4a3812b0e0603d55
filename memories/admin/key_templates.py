"""Templates of keys: made, changed and removed through their service."""

from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from memories.forms.admin_keys import TemplateForm, filled
from tenants.admin.doors import opens_itself
from tenants.admin.pages import FormPage
from tenants.admin.scoped import ScopedAdmin
from tenants.admin.site import site
from tenants.admin.visit import may, scope_of
from tenants.forms.member import ConfirmForm
from tenants.models import KeyTemplate
from tenants.scope import Ability, ScopeDenied
from tenants.services.change_template import TemplateStale, list_templates, put_template, remove_template, version_of
from tenants.services.issue_key import KeyNotIssuable

STAYS = "Keys that were issued from it stay as they are."


@admin.register(KeyTemplate, site=site)
class KeyTemplateAdmin(ScopedAdmin[KeyTemplate]):
    """What keys of one purpose are given; a key copies it when it is issued."""

    noun = "template"
    notes = False
    add_words = "Make a template"
    list_display = ("name", "description", "per_user", "changed_at")
    ordering = ("name",)
    fields = ("name", "description", "per_user", "abilities", "kinds", "compartments", "hidden_fields", "purpose",
              "lives_days", "requests_a_minute", "turns_a_day", "recalls_a_minute", "changed_at", "id")  # fmt: skip

    def heading(self, row: KeyTemplate) -> str:
        """Return the template's name."""
        return row.name

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Let those who manage keys make one."""
        return may(request, Ability.KEYS_MANAGE)

    def get_urls(self) -> list[URLPattern]:
        """Add the pages that act, before Django's own, which take any path."""
        view = self.admin_site.admin_view
        own = [
            path("<uuid:template_id>/edit/", view(self.edit_view), name="tenants_keytemplate_edit"),
            path("<uuid:template_id>/remove/", view(self.remove_view), name="tenants_keytemplate_remove"),
        ]
        return [*own, *super().get_urls()]

    @opens_itself
    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Make a template."""
        self._require(request)
        return self._put(request, TemplateForm(scope_of(request), request.POST or None), None)

    @opens_itself
    def edit_view(self, request: HttpRequest, template_id: UUID) -> HttpResponse:
        """Change a template."""
        held = self._found(request, template_id)
        initial = {**filled(held), "name": held.name, "version": version_of(held)}
        form = TemplateForm(scope_of(request), request.POST or None, initial=initial)
        form.fields["name"].disabled = True
        return self._put(request, form, held)

    @opens_itself
    def remove_view(self, request: HttpRequest, template_id: UUID) -> HttpResponse:
        """Remove a template."""
        held = self._found(request, template_id)
        form = ConfirmForm(scope_of(request), request.POST or None)
        if request.method == "POST" and form.is_valid():
            remove_template(scope_of(request), held.name, now=timezone.now())
            messages.success(request, "The template was removed.")
            return redirect(self._list())
        page = FormPage(title="Remove the template", subtitle=held.name, submit="Remove", back=self._list(),
                        intro=(STAYS,), dangerous=True)  # fmt: skip
        return page.show(request, self, form)

    def _put(self, request: HttpRequest, form: TemplateForm, held: KeyTemplate | None) -> HttpResponse:
        if request.method == "POST" and form.is_valid():
            try:
                version = form.cleaned_data["version"] if held else None
                put_template(form.scope, form.values(), if_version=version, only_new=held is None, now=timezone.now())
            except KeyNotIssuable as error:
                form.refuse(error)
            except ScopeDenied as denied:
                form.add_error(None, str(denied))
            except TemplateStale:
                form.add_error(None, "Somebody has changed the template meanwhile. Open it again.")
            else:
                messages.success(request, "The template was saved.")
                return redirect(self._list())
        title = "Change the template" if held else "Make a template"
        page = FormPage(title=title, subtitle=held.name if held else "", submit="Save", back=self._list(),
                        intro=(STAYS,) if held else ())  # fmt: skip
        return page.show(request, self, form)

    def _found(self, request: HttpRequest, template_id: UUID) -> KeyTemplate:
        self._require(request)
        found = next((one for one in list_templates(scope_of(request)) if one.id == template_id), None)
        if found is None:
            raise Http404
        return found

    def _require(self, request: HttpRequest) -> None:
        if not self.has_add_permission(request):
            raise PermissionDenied

    def _list(self) -> str:
        return reverse("admin:tenants_keytemplate_changelist")
