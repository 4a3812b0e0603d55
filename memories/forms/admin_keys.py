"""Forms of the admin about API keys."""

from typing import Any

import regex
from django import forms
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from backends.search import names
from tenants.forms.staff_form import StaffForm
from tenants.ids import EXTERNAL_ID_MAX_LENGTH
from tenants.models import KeyTemplate
from tenants.scope import Ability, Scope
from tenants.services.change_template import TemplateValues
from tenants.services.issue_from import LIVES_MAX_DAYS, Wanted
from tenants.services.issue_key import AGENT_ABILITIES, KEY_ABILITIES, KeyNotIssuable
from tenants.services.rotate_key import OVERLAPS
from tenants.services.spend import QUOTA_MAX, Quota

LIVES = (("", "Never"), ("1", "In a day"), ("7", "In 7 days"), ("30", "In 30 days"), ("90", "In 90 days"),
         ("365", "In a year"))  # fmt: skip
_OVERLAP_WORDS = ("Now", "In 1 hour", "In 24 hours", "In 7 days")
_COMPARTMENT = regex.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def _text(**attrs: str) -> Any:
    return UnfoldAdminTextInputWidget(attrs={"autocomplete": "off", **attrs})


def _quota(label: str) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, required=False, min_value=0, max_value=QUOTA_MAX, widget=_text(inputmode="numeric"),
        help_text="Empty: as the site is set. 0: without a limit.",
    )  # fmt: skip


class Rights(StaffForm):
    """What a key may do, or a template says that keys may do. Only what the user's own role has can be given."""

    abilities = forms.MultipleChoiceField(widget=UnfoldAdminCheckboxSelectMultipleWidget)
    kinds = forms.MultipleChoiceField(
        label="Kinds of memory",
        choices=[(kind, kind) for kind in names.KINDS],
        initial=list(names.KINDS),
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
    )
    compartments = forms.CharField(
        required=False,
        widget=_text(),
        help_text="Keywords, separated by commas. Memories with compartments are shown only to keys that have one.",
    )
    hidden = forms.CharField(
        label="Hidden fields",
        required=False,
        widget=_text(),
        help_text="Fields that no answer to the key has, separated by commas, such as sensitive_notes.",
    )
    requests_a_minute = _quota("Requests a minute")
    turns_a_day = _quota("Turns a day")
    recalls_a_minute = _quota("Recalls a minute")
    purpose = forms.CharField(
        max_length=200, required=False, widget=_text(), help_text="Noted with every event of the key."
    )

    def __init__(self, scope: Scope, *args: Any, **kwargs: Any) -> None:
        super().__init__(scope, *args, **kwargs)
        given = [ability for ability in KEY_ABILITIES if ability in scope.abilities]
        field = self.fields["abilities"]
        field.choices = [(str(ability), str(ability)) for ability in given]  # type: ignore[attr-defined]
        field.initial = [str(ability) for ability in AGENT_ABILITIES]

    def clean_abilities(self) -> list[Ability]:
        """Return the abilities."""
        return [Ability(value) for value in self.cleaned_data["abilities"]]

    def clean_compartments(self) -> list[str]:
        """Return the keywords, each once."""
        words = _words(self.cleaned_data["compartments"])
        for word in words:
            if not _COMPARTMENT.fullmatch(word) or word == names.NONE:
                raise forms.ValidationError(f"{word}: use letters, digits, hyphens, dots; at most 64; not 'none'.")
        return words

    def clean_hidden(self) -> list[str]:
        """Return the fields, each once."""
        return _words(self.cleaned_data["hidden"])

    def rights(self) -> dict[str, Any]:
        """Return the values that keys and templates have in common, by name."""
        common = ("abilities", "kinds", "compartments", "purpose", *map(str, Quota))
        return {**{name: self.cleaned_data[name] for name in common}, "hidden_fields": self.cleaned_data["hidden"]}

    def refuse(self, error: KeyNotIssuable) -> None:
        """Show a fault beside its field."""
        field = "hidden" if error.field == "hidden_fields" else error.field
        self.add_error(field if field in self.fields else None, error.message)


class IssueKeyForm(Rights):
    """A new key."""

    template = forms.CharField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(max_length=200, widget=_text(), help_text="For people: which agent will use it.")
    user_id = forms.CharField(
        label="One user only",
        required=False,
        strip=False,
        max_length=EXTERNAL_ID_MAX_LENGTH,
        widget=_text(),
        help_text="The user_id of a person the tenant knows already. Empty: every user of the tenant.",
    )
    expires = forms.ChoiceField(choices=LIVES, required=False, widget=UnfoldAdminSelectWidget)
    field_order = ("name", "abilities", "user_id", "kinds", "compartments", "hidden", "expires")

    def __init__(self, scope: Scope, *args: Any, filled_from: KeyTemplate | None = None, **kwargs: Any) -> None:
        initial = filled(filled_from) if filled_from else {}
        super().__init__(scope, *args, initial=initial, **kwargs)
        days = str(filled_from.lives_days or "") if filled_from else ""
        if days not in dict(LIVES):
            self.fields["expires"].choices = [*LIVES, (days, f"In {days} days")]  # type: ignore[attr-defined]

    def wanted(self) -> Wanted:
        """Return the key that is asked for."""
        asked = self.cleaned_data
        return Wanted(
            **self.rights(),
            name=asked["name"],
            template=asked["template"] or None,
            user_id=asked["user_id"] or None,
            lives_days=int(asked["expires"] or 0),
        )


class TemplateForm(Rights):
    """A template of keys."""

    name = forms.SlugField(max_length=64, widget=_text(), help_text="Letters, digits and hyphens; known by it.")
    description = forms.CharField(max_length=300, required=False, widget=_text())
    per_user = forms.BooleanField(
        label="For one user", required=False, widget=UnfoldBooleanSwitchWidget, help_text="Each key needs a user_id."
    )
    lives_days = forms.IntegerField(
        label="Days", required=False, min_value=1, max_value=LIVES_MAX_DAYS, widget=_text(inputmode="numeric"),
        help_text="How long a key from it lives. Empty: until it is revoked.",
    )  # fmt: skip
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    field_order = ("name", "description", "per_user", "abilities", "kinds", "compartments", "hidden")

    def values(self) -> TemplateValues:
        """Return the template that is described."""
        own = {name: self.cleaned_data[name] for name in ("name", "description", "per_user", "lives_days")}
        return TemplateValues(**self.rights(), **own)


def filled(template: KeyTemplate) -> dict[str, Any]:
    """Return what a form shows at first of a template."""
    shown = {name: getattr(template, name) for name in ("abilities", "kinds", "purpose", *map(str, Quota))}
    return {
        **shown,
        "template": template.name,
        "compartments": ", ".join(template.compartments),
        "hidden": ", ".join(template.hidden_fields),
        "expires": str(template.lives_days or ""),
        "description": template.description,
        "per_user": template.per_user,
        "lives_days": template.lives_days,
    }


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


class RotateKeyForm(StaffForm):
    """When the old key ends."""

    overlap_s = forms.TypedChoiceField(
        label="The old key ends",
        coerce=int,
        choices=[
            (int(overlap.total_seconds()), word) for overlap, word in zip(OVERLAPS, _OVERLAP_WORDS, strict=True)
        ],
        initial=int(OVERLAPS[2].total_seconds()),
        widget=UnfoldAdminRadioSelectWidget,
    )


class RevokeKeyForm(StaffForm):
    """Yes, revoke it."""
