"""Forms of the admin: each belongs to the tenant it was opened in, and is taken once."""

from typing import Any
from uuid import UUID

from django import forms
from django.core import signing

from tenants.ids import uuid7
from tenants.scope import Scope

_FOREIGN = "This form was opened in another tenant, or by another user. Open it again here."


class StaffForm(forms.Form):
    """A form that carries the id of what it will make, signed for one tenant and one user.

    So a form that was opened in one tenant and sent after switching to another in a second tab does nothing, and
    one sent twice finds its id taken.
    """

    form_id = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, scope: Scope, *args: Any, **kwargs: Any) -> None:
        self.scope = scope
        super().__init__(*args, **kwargs)
        self.fields["form_id"].initial = signing.dumps(str(uuid7()), salt=self._salt())

    def clean_form_id(self) -> UUID:
        """Return the id; refuse one that was signed for another tenant or user."""
        try:
            return UUID(signing.loads(self.cleaned_data["form_id"], salt=self._salt()))
        except signing.BadSignature as error:
            raise forms.ValidationError(_FOREIGN) from error

    def _salt(self) -> str:
        return f"mneme.staff-form:{self.scope.tenant_id}:{self.scope.staff_id}"
