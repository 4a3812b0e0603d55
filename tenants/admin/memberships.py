"""Memberships: who may enter the tenant, as what."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import CharField, F, Func, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from tenants.admin.doors import opens_itself
from tenants.admin.pages import FormPage, SecretPage
from tenants.admin.scoped import ScopedAdmin
from tenants.admin.site import site
from tenants.admin.visit import may, scope_of
from tenants.forms.member import AddMemberForm, ChangeRoleForm, ConfirmForm
from tenants.forms.staff_form import StaffForm
from tenants.models import Membership
from tenants.roles import Role
from tenants.scope import Ability
from tenants.services.add_member import AlreadyMember, UserInactive, add_member
from tenants.services.change_member import LastOwner, change_role, remove_member


@admin.register(Membership, site=site)
class MembershipAdmin(ScopedAdmin[Membership]):
    """The tenant's members; owners add, change and remove them."""

    noun = "member"
    notes = False
    add_words = "Add a member"
    list_display = ("username", "role", "created_at")
    list_filter = ("role",)
    ordering = ("created_at",)
    fields = ("username", "role", "created_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        """Add the users' names, which the database tells of members only."""
        name = Func(F("user_id"), function="tenants_username", output_field=CharField())
        return super().get_queryset(request).annotate(name_of_user=name)

    @admin.display(description="user", ordering="name_of_user")
    def username(self, row: Membership) -> str:
        """Return the name the member signs in with."""
        return str(getattr(row, "name_of_user", ""))

    def heading(self, row: Membership) -> str:
        """Return the member's name."""
        return self.username(row)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Let owners add members."""
        return may(request, Ability.MEMBERS_MANAGE)

    def get_urls(self) -> list[URLPattern]:
        """Add the pages that change a member, before Django's own, which take any path."""
        view = self.admin_site.admin_view
        own = [
            path("<uuid:member_id>/role/", view(self.role_view), name="tenants_membership_role"),
            path("<uuid:member_id>/remove/", view(self.remove_view), name="tenants_membership_remove"),
        ]
        return [*own, *super().get_urls()]

    @opens_itself
    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Add a member; the password of a user made for it is shown once."""
        self._require(request)
        scope = scope_of(request)
        form = AddMemberForm(scope, request.POST or None)
        if request.method == "POST" and form.is_valid():
            name, role = form.cleaned_data["username"], Role(form.cleaned_data["role"])
            try:
                added = add_member(scope, name, role=role, now=timezone.now())
            except AlreadyMember:
                form.add_error("username", "This user is a member already.")
            except UserInactive:
                form.add_error("username", "This user may not sign in any more.")
            else:
                if added.password is None:
                    messages.success(request, "The member was added.")
                    return redirect(self._list())
                return SecretPage(
                    title="Member added",
                    subtitle=name,
                    what="password",
                    secret=added.password,
                    done=self._list(),
                    notes=("Give it to the user, who can change it after signing in.",),
                ).show(request, self)
        page = FormPage(title="Add a member", submit="Add", back=self._list())
        return page.show(request, self, form)

    def role_view(self, request: HttpRequest, member_id: UUID) -> HttpResponse:
        """Give a member another role."""
        member = self._member(request, member_id)
        form = ChangeRoleForm(scope_of(request), request.POST or None, initial={"role": member.role})
        page = FormPage(title="Change the role", subtitle=self.username(member), submit="Change", back=self._list())

        def act() -> None:
            role = Role(form.cleaned_data["role"])
            change_role(scope_of(request), member_id, role=role, now=timezone.now())

        return self._acted(request, form, page, act, "The role was changed.")

    def remove_view(self, request: HttpRequest, member_id: UUID) -> HttpResponse:
        """Shut a member out."""
        member = self._member(request, member_id)
        form = ConfirmForm(scope_of(request), request.POST or None)
        page = FormPage(
            title="Remove the member",
            subtitle=self.username(member),
            submit="Remove",
            back=self._list(),
            intro=("The member can no longer enter this tenant, from the next request on.",),
            dangerous=True,
        )

        def act() -> None:
            remove_member(scope_of(request), member_id, now=timezone.now())

        return self._acted(request, form, page, act, "The member was removed.")

    def _member(self, request: HttpRequest, member_id: UUID) -> Membership:
        self._require(request)
        return get_object_or_404(self.get_queryset(request), pk=member_id)

    def _acted(
        self, request: HttpRequest, form: StaffForm, page: FormPage, act: Callable[[], None], said: str
    ) -> HttpResponse:
        if request.method == "POST" and form.is_valid():
            try:
                act()
            except LastOwner:
                form.add_error(None, "A tenant keeps at least one owner: make somebody else an owner first.")
            else:
                messages.success(request, said)
                return redirect(self._list())
        return page.show(request, self, form)

    def _require(self, request: HttpRequest) -> None:
        if not self.has_add_permission(request):
            raise PermissionDenied

    def _list(self) -> str:
        return reverse("admin:tenants_membership_changelist")
