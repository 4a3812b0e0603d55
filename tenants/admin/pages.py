"""The two pages that are not Django's own: a form that acts, and a secret shown once."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse


@dataclass(frozen=True, slots=True, kw_only=True)
class FormPage:
    """A form and what surrounds it.

    intro: sentences above it. links: words and where they lead, above it too. submit: the word on the button.
    back: where Cancel leads. dangerous: red button.
    """

    title: str
    submit: str
    back: str
    intro: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    subtitle: str = ""
    dangerous: bool = False

    def show(self, request: HttpRequest, admin: "ModelAdmin[Any]", form: forms.Form) -> HttpResponse:
        """Return the page: 200, or 422 when the form was sent and has faults."""
        context = {
            **admin.admin_site.each_context(request),
            "opts": admin.opts,
            "title": self.title,
            "subtitle": f"{self.title}: {self.subtitle}" if self.subtitle else self.title,
            "page": self,
            "form": form,
        }
        status = 422 if form.is_bound and form.errors else 200
        return TemplateResponse(request, "admin/form_page.html", context, status=status)


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretPage:
    """A secret in the answer to the request that made it, and nowhere else.

    line: the line for an environment file. notes: what else there is to say, one sentence each.
    """

    title: str
    subtitle: str
    secret: str
    what: str
    done: str
    line: str = ""
    notes: tuple[str, ...] = ()

    def show(self, request: HttpRequest, admin: "ModelAdmin[Any]") -> HttpResponse:
        """Return the page; it may be kept by no cache, which the site says of all its pages."""
        context = {
            **admin.admin_site.each_context(request),
            "opts": admin.opts,
            "title": self.title,
            "subtitle": f"{self.title}: {self.subtitle}",
            "page": self,
        }
        return TemplateResponse(request, "admin/secret_page.html", context)
