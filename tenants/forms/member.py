"""Forms about members."""

from django import forms
from django.contrib.auth.validators import UnicodeUsernameValidator
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from tenants.forms.staff_form import StaffForm
from tenants.roles import Role


class AddMemberForm(StaffForm):
    """Whom to add, as what."""

    username = forms.CharField(
        max_length=150,
        validators=[UnicodeUsernameValidator()],
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off", "autofocus": True}),
        help_text="A user of this name is added. If there is none yet, one is made, with a password shown once.",
    )
    role = forms.ChoiceField(choices=Role.choices, initial=Role.VIEWER, widget=UnfoldAdminSelectWidget)


class ChangeRoleForm(StaffForm):
    """What the member is from now on."""

    role = forms.ChoiceField(
        choices=Role.choices, widget=UnfoldAdminSelectWidget, help_text="It holds from the member's next request."
    )


class ConfirmForm(StaffForm):
    """Yes."""
