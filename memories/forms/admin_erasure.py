"""The form of the admin that erases a person."""

from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminTextInputWidget

from tenants.forms.staff_form import StaffForm
from tenants.scope import Scope


class EraseForm(StaffForm):
    """Yes, erase this one: the user_id, typed."""

    user_id = forms.CharField(
        label="Type the user_id to confirm",
        strip=False,
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, scope: Scope, *args: Any, user_id: str, **kwargs: Any) -> None:
        self._user_id = user_id
        super().__init__(scope, *args, **kwargs)

    def clean_user_id(self) -> str:
        """Refuse any other than the one that is shown."""
        typed: str = self.cleaned_data["user_id"]
        if typed != self._user_id:
            raise forms.ValidationError("This is not the user_id of the person to be erased.")
        return typed
