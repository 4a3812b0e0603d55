"""API keys: issued, rotated and revoked through their services; a secret is shown once.

Here and not in tenants, since revoking reaches the search engine.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from backends.errors import BackendError
from memories.forms.admin_keys import IssueKeyForm, RevokeKeyForm, RotateKeyForm
from memories.services.engine import search_engine
from tenants.admin.doors import opens_itself
from tenants.admin.glyphs import with_glyph
from tenants.admin.pages import FormPage, SecretPage
from tenants.admin.scoped import ScopedAdmin
from tenants.admin.site import site
from tenants.admin.visit import may, scope_of
from tenants.models import ApiKey
from tenants.scope import Ability, Scope, ScopeDenied
from tenants.services.authenticate import is_live
from tenants.services.change_template import list_templates
from tenants.services.find_key import find_key
from tenants.services.issue_from import issue_from
from tenants.services.issue_key import AlreadyIssued, IssuedKey, KeyNotIssuable
from tenants.services.revoke_key import revoke_key
from tenants.services.rotate_key import KeyNotLive, rotate_key
from tenants.services.spend import Quota

ISSUED_ALREADY = "This form was sent before and its key was issued then. The secret is not shown again."

NOT_LIVE = "The key is revoked or expired, or its user is being erased: issue a new one instead."


@admin.register(ApiKey, site=site)
class ApiKeyAdmin(ScopedAdmin[ApiKey]):
    """What agents authenticate with: everything but the secret, which nobody keeps."""

    noun = "key"
    notes = False
    add_words = "Issue a key"
    list_display = ("name", "prefix", "state", "user_id", "abilities_given", "last_used_at", "expires_at")
    list_select_related = ("subject",)
    search_fields = ("name", "prefix", "subject__external_id")
    ordering = ("-created_at",)
    fields = ("name", "prefix", "state", "user_id", "abilities_given", "kinds", "compartments", "hidden_fields",
              "purpose", "template", "quotas", "created_at", "last_used_at", "expires_at", "revoked_at",
              "id")  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiKey]:
        """Leave the hashes where they are."""
        return super().get_queryset(request).defer("secret_hash")

    def heading(self, row: ApiKey) -> str:
        """Return the key's name."""
        return row.name

    @admin.display
    def state(self, row: ApiKey) -> Any:
        """Return live, expired or revoked."""
        if row.revoked_at is not None:
            return with_glyph("revoked")
        return with_glyph("live" if is_live(row, now=timezone.now()) else "expired")

    @admin.display(description="user")
    def user_id(self, row: ApiKey) -> str:
        """Return whose key it is."""
        if row.subject_id is None:
            return "every user"
        return row.subject.external_id if row.subject else "a user being erased"

    @admin.display(description="abilities")
    def abilities_given(self, row: ApiKey) -> str:
        """Return what the key may do."""
        return ", ".join(row.abilities)

    @admin.display
    def quotas(self, row: ApiKey) -> str:
        """Return how much the key may do."""
        said = {quota: getattr(row, quota) for quota in Quota}
        own = [
            f"{limit or 'any number of'} {quota.replace('_', ' ')}"
            for quota, limit in said.items()
            if limit is not None
        ]
        return ", ".join(own) or "as the site is set"

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Let those who manage keys issue one."""
        return may(request, Ability.KEYS_MANAGE)

    def get_urls(self) -> list[URLPattern]:
        """Add the pages that act, before Django's own, which take any path."""
        view = self.admin_site.admin_view
        own = [
            path("<uuid:key_id>/rotate/", view(self.rotate_view), name="tenants_apikey_rotate"),
            path("<uuid:key_id>/revoke/", view(self.revoke_view), name="tenants_apikey_revoke"),
        ]
        return [*own, *super().get_urls()]

    @opens_itself
    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Issue a key."""
        scope = self._managing(request)
        templates = list_templates(scope)
        chosen = next((one for one in templates if one.name == request.GET.get("template")), None)
        form = IssueKeyForm(scope, request.POST or None, filled_from=chosen)
        if request.method == "POST" and form.is_valid():
            try:
                issued = issue_from(scope, form.wanted(), key_id=form.cleaned_data["form_id"], now=timezone.now())
            except KeyNotIssuable as error:
                form.refuse(error)
            except ScopeDenied as denied:
                form.add_error(None, str(denied))
            except AlreadyIssued:
                form.add_error(None, ISSUED_ALREADY)
            else:
                return self._show_secret(request, "Key issued", issued)
        page = FormPage(
            title="Issue an API key",
            submit="Issue",
            back=self._list(),
            intro=(chosen.description,) if chosen else ("Begin with a template, or choose by hand:",),
            links=tuple((one.name, f"?template={one.name}") for one in templates if one is not chosen),
        )
        return page.show(request, self, form)

    @opens_itself
    def rotate_view(self, request: HttpRequest, key_id: UUID) -> HttpResponse:
        """Issue a key in place of another."""
        scope = self._managing(request)
        key = _found(scope, key_id)
        form = RotateKeyForm(scope, request.POST or None)
        if request.method == "POST" and form.is_valid():
            try:
                rotated = rotate_key(
                    scope,
                    key_id,
                    overlap=timedelta(seconds=form.cleaned_data["overlap_s"]),
                    new_key_id=form.cleaned_data["form_id"],
                    engine=search_engine(),
                    now=timezone.now(),
                )
            except KeyNotLive:
                form.add_error(None, NOT_LIVE)
            except AlreadyIssued:
                form.add_error(None, ISSUED_ALREADY)
            except KeyNotIssuable as error:
                form.add_error(None, f"No key like this one can be made any more ({error}). Issue a new one.")
            except ScopeDenied:
                form.add_error(None, "The key has an ability that your role lacks: an owner must rotate it.")
            else:
                notes = [f"The old key, {key.prefix}, ends {rotated.old_ends_at:%Y-%m-%d %H:%M:%S} UTC."]
                if not rotated.engine_confirmed:
                    notes.append("It is refused here, but the search engine did not answer: revoke it once more.")
                return self._show_secret(request, "Key rotated", rotated.issued, *notes)
        intro = (f"A new key with the rights of {key.name} ({key.prefix}) is issued, and shown once.",)
        page = FormPage(title="Rotate the key", subtitle=key.name, submit="Rotate", back=self._of(key), intro=intro)
        return page.show(request, self, form)

    @opens_itself
    def revoke_view(self, request: HttpRequest, key_id: UUID) -> HttpResponse:
        """End a key."""
        scope = self._managing(request)
        key = _found(scope, key_id)
        form = RevokeKeyForm(scope, request.POST or None)
        if request.method == "POST" and form.is_valid():
            try:
                revoke_key(scope, key_id, engine=search_engine(), now=timezone.now())
            except BackendError:
                messages.warning(
                    request, "The key is refused here; the search engine did not answer: revoke it once more."
                )
            else:
                messages.success(request, "The key is revoked, in the search engine too.")
            return redirect(self._of(key))
        intro = (f"Whoever uses {key.name} ({key.prefix}) is refused from then on. This cannot be undone.",)
        page = FormPage(
            title="Revoke the key",
            subtitle=key.name,
            submit="Revoke",
            back=self._of(key),
            intro=intro,
            dangerous=True,
        )
        return page.show(request, self, form)

    def _show_secret(self, request: HttpRequest, title: str, issued: IssuedKey, *notes: str) -> HttpResponse:
        return SecretPage(
            title=title,
            subtitle=issued.key.name,
            what="API key",
            secret=issued.secret,
            line=f"MNEME_API_KEY={issued.secret}",
            done=self._of(issued.key),
            notes=notes,
        ).show(request, self)

    def _managing(self, request: HttpRequest) -> Scope:
        if not self.has_add_permission(request):
            raise PermissionDenied
        return scope_of(request)

    def _list(self) -> str:
        return reverse("admin:tenants_apikey_changelist")

    def _of(self, key: ApiKey) -> str:
        return reverse("admin:tenants_apikey_change", args=[key.id])


def _found(scope: Scope, key_id: UUID) -> ApiKey:
    try:
        return find_key(scope, key_id)
    except ApiKey.DoesNotExist as missing:
        raise Http404 from missing
