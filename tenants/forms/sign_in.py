"""The form to sign in by."""

from typing import TYPE_CHECKING

from django.contrib.auth.models import User

if TYPE_CHECKING:
    from django.contrib.admin.forms import AdminAuthenticationForm as AuthenticationForm
else:
    from unfold.forms import AuthenticationForm

USERNAME_MAX_LENGTH = User._meta.get_field("username").max_length or 150


class SignInForm(AuthenticationForm):
    """Unfold's, which refuses a name that nobody can have before it is looked for or counted."""

    def clean_username(self) -> str:
        """Return the name; raise ValidationError, in the words for a wrong one, when it is longer than names are."""
        name: str = self.cleaned_data["username"]
        if len(name) > USERNAME_MAX_LENGTH:
            raise self.get_invalid_login_error()
        return name
