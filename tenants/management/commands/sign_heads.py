"""Sign the heads of all chains and write them down."""

import base64
import binascii
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from tenants.services.signed_heads import sign_heads


class Command(BaseCommand):
    """manage.py sign_heads, once a day, from cron or a timer."""

    help = "Append the signed heads of all chains to AUDIT_HEADS_FILE, which is best kept on another machine."

    def handle(self, *args: Any, **options: Any) -> None:
        """Sign."""
        try:
            key = base64.b64decode(settings.AUDIT_KEY, validate=True)
        except binascii.Error as error:
            raise CommandError("AUDIT_KEY: must be 32 bytes as base64") from error
        if len(key) != 32:
            raise CommandError("AUDIT_KEY: set it to 32 bytes of chance as base64: openssl rand -base64 32")
        count = sign_heads(Path(settings.AUDIT_HEADS_FILE), key=key, now=timezone.now())
        self.stdout.write(f"{count} heads signed")
