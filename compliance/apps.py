"""The compliance app."""

from django.apps import AppConfig


class ComplianceConfig(AppConfig):
    """Law: what proves, to those who answer for it, that the walls stand; no tables of its own yet."""

    name = "compliance"
