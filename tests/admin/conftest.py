"""People who sign in: each by the login page, with a password and a CSRF token, as a browser would."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tenants.models import Event, Membership
from tenants.roles import Role
from tenants.services.open_scope import open_scope
from tests.conftest import Caller

PASSWORD = "correct horse battery staple"


@dataclass(frozen=True, slots=True, kw_only=True)
class Staff:
    """A signed-in user of the admin. Answers are Django's, with the context they were rendered from."""

    id: int
    name: str
    client: Client = field(default_factory=lambda: Client(enforce_csrf_checks=True))

    def get(self, path: str, **query: Any) -> Any:
        """Ask for a page."""
        return self.client.get(path, query)

    def post(self, path: str, **fields: Any) -> Any:
        """Send a form."""
        token = self.client.cookies[settings.CSRF_COOKIE_NAME].value
        return self.client.post(path, {"csrfmiddlewaretoken": token, **fields})

    def form_id(self, path: str) -> str:
        """Return the hidden id of a page's form."""
        page = self.get(path)
        assert page.status_code == 200, page.status_code
        return str(page.context["form"]["form_id"].value())

    def send(self, path: str, **fields: Any) -> Any:
        """Open a page with a form and send the form, its hidden id included."""
        return self.post(path, form_id=self.form_id(path), **fields)

    def sign_in(self, password: str = PASSWORD) -> Any:
        """Sign in by the login page."""
        login = reverse("admin:login")
        assert self.get(login).status_code == 200
        return self.post(login, username=self.name, password=password, next=reverse("admin:index"))

    def choose(self, tenant_id: UUID) -> Any:
        """Choose a tenant."""
        return self.post(reverse("admin:choose_tenant"), tenant_id=str(tenant_id))


class Hire(Protocol):
    """Makes a user with memberships, signed in and in the first of the tenants."""

    def __call__(self, name: str, role: Role = ..., *callers: Caller, superuser: bool = ...) -> Staff:
        """Return the user."""


@pytest.fixture(autouse=True)
def quick_passwords() -> Iterator[None]:
    """Hash passwords in no time."""
    before = settings.PASSWORD_HASHERS
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    yield
    settings.PASSWORD_HASHERS = before


@pytest.fixture
def hire(record: None) -> Hire:
    """Return the function that makes users."""

    def make(name: str, role: Role = Role.VIEWER, *callers: Caller, superuser: bool = False) -> Staff:
        user = User.objects.create_user(name, password=PASSWORD, is_staff=True, is_superuser=superuser)
        for caller in callers:
            with open_scope(caller.system):
                Membership.objects.create(
                    tenant_id=caller.key.tenant_id, user_id=user.pk, role=role, created_at=timezone.now()
                )
        staff = Staff(id=user.pk, name=name)
        assert staff.sign_in().status_code == 302
        if callers:
            assert staff.choose(callers[0].key.tenant_id).status_code == 302
        return staff

    return make


def events(caller: Caller, **filters: Any) -> list[Event]:
    """Return a tenant's events in order."""
    with open_scope(caller.system):
        return list(Event.objects.filter(**filters).order_by("at", "id"))


def text_of(response: Any) -> str:
    """Return the body."""
    text: str = response.content.decode()
    return text
