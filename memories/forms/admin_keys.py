"""Forms of the admin about API keys."""

from datetime import datetime, timedelta
from typing import Any

import regex
from django import forms
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from backends.search import names
from tenants.forms.staff_form import StaffForm
from tenants.ids import EXTERNAL_ID_MAX_LENGTH
from tenants.scope import Ability, Scope
from tenants.services.issue_key import AGENT_ABILITIES, OFFERED_ABILITIES
from tenants.services.rotate_key import OVERLAPS

LIVES = (("", "Never"), ("1", "In a day"), ("7", "In 7 days"), ("30", "In 30 days"), ("90", "In 90 days"),
         ("365", "In a year"))  # fmt: skip
_OVERLAP_WORDS = ("Now", "In 1 hour", "In 24 hours", "In 7 days")
_COMPARTMENT = regex.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def _text(**attrs: str) -> Any:
    return UnfoldAdminTextInputWidget(attrs={"autocomplete": "off", **attrs})


class IssueKeyForm(StaffForm):
    """What a new key may do. Only what the user's own role has can be given."""

    name = forms.CharField(max_length=200, widget=_text(), help_text="For people: which agent will use it.")
    abilities = forms.MultipleChoiceField(widget=UnfoldAdminCheckboxSelectMultipleWidget)
    user_id = forms.CharField(
        label="One user only",
        required=False,
        strip=False,
        max_length=EXTERNAL_ID_MAX_LENGTH,
        widget=_text(),
        help_text="The user_id of a person the tenant knows already. Empty: every user of the tenant.",
    )
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
    expires = forms.ChoiceField(choices=LIVES, required=False, widget=UnfoldAdminSelectWidget)
    purpose = forms.CharField(
        max_length=200, required=False, widget=_text(), help_text="Noted with every event of the key."
    )

    def __init__(self, scope: Scope, *args: Any, **kwargs: Any) -> None:
        super().__init__(scope, *args, **kwargs)
        given = [ability for ability in OFFERED_ABILITIES if ability in scope.abilities]
        field = self.fields["abilities"]
        field.choices = [(str(ability), str(ability)) for ability in given]  # type: ignore[attr-defined]
        field.initial = [str(ability) for ability in AGENT_ABILITIES]

    def clean_abilities(self) -> list[Ability]:
        """Return the abilities."""
        return [Ability(value) for value in self.cleaned_data["abilities"]]

    def clean_compartments(self) -> list[str]:
        """Return the keywords, each once."""
        words = [word.strip() for word in self.cleaned_data["compartments"].split(",") if word.strip()]
        for word in words:
            if not _COMPARTMENT.fullmatch(word) or word == names.NONE:
                raise forms.ValidationError(f"{word}: use letters, digits, hyphens, dots; at most 64; not 'none'.")
        return list(dict.fromkeys(words))

    def expires_at(self, now: datetime) -> datetime | None:
        """Return the end of the key."""
        days = self.cleaned_data["expires"]
        return now + timedelta(days=int(days)) if days else None


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
