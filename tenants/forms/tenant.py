"""The form that creates a tenant."""

from django import forms
from unfold.widgets import UnfoldAdminTextInputWidget


class CreateTenantForm(forms.Form):
    """Slug and name of a new tenant."""

    slug = forms.SlugField(
        max_length=63,
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off", "autofocus": True}),
        help_text="Letters, digits, hyphens and underscores. It never changes.",
    )
    name = forms.CharField(
        max_length=200,
        required=False,
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
        help_text="What people read; the slug, if empty.",
    )
