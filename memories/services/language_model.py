"""The language model that the site is set up with, if any."""

from django.conf import settings

from backends.llms.base import LLM
from backends.llms.connect import connect


def language_model() -> LLM | None:
    """Return the model, one a process; None where there is none. Raises ValueError for settings that name none."""
    return connect(settings.LLM, settings.LLM_MODEL, settings.LLM_API_KEY)
