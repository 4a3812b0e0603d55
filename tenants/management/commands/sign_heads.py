"""Sign the heads of all chains and write them down."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from tenants.services.signed_heads import sign_heads
from tenants.services.signing import NoAuditKey, audit_key


class Command(BaseCommand):
    """manage.py sign_heads; beat does the same once a day."""

    help = "Append the signed heads of all chains to AUDIT_HEADS_FILE, which is best kept on another machine."

    def handle(self, *args: Any, **options: Any) -> None:
        """Sign."""
        try:
            key = audit_key()
        except NoAuditKey as error:
            raise CommandError(str(error)) from error
        count = sign_heads(Path(settings.AUDIT_HEADS_FILE), key=key, now=timezone.now())
        self.stdout.write(f"{count} heads signed")
