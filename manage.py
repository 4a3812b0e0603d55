#!/usr/bin/env python
"""Run a management command of Mneme."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memory_site.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:  # its message is for who runs this; the way there is not
        sys.exit(f"manage.py: {error}")
