"""Revoke a key by its prefix, whoever it belongs to."""

from typing import Any

import regex
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backends.errors import BackendError
from backends.search.connect import connect
from tenants.models import ApiKey
from tenants.services.create_tenant import system_scope
from tenants.services.revoke_key import revoke_key

_PREFIX = regex.compile(r"(?:mneme_)?([0-9a-f]{12})")


class Command(BaseCommand):
    """manage.py revoke_key PREFIX, under the worker's login."""

    help = "Revoke an API key, known by its prefix: the 12 characters after mneme_. It is refused from then on."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare PREFIX."""
        parser.add_argument("prefix", help="mneme_0123456789ab or 0123456789ab; not the whole key")

    def handle(self, *args: Any, **options: Any) -> None:
        """Revoke, and say what is left to do."""
        given = _PREFIX.fullmatch(options["prefix"])
        if given is None:
            raise CommandError("PREFIX: give the 12 characters after mneme_, and not the whole key.")
        found = list(ApiKey.objects.raw("SELECT * FROM tenants_find_key(%s)", [given[1]]))
        if not found:
            raise CommandError(f"There is no key {given[1]}.")
        key = found[0]
        try:
            engine = connect(settings.SEARCH_URL, pool_size=settings.DATABASE_POOL_SIZE)
            left = revoke_key(system_scope(key.tenant_id), key.id, engine=engine, now=timezone.now())
        except BackendError as error:
            raise CommandError(
                f"The key {key.prefix} is refused here from now on, but the search engine did not confirm that its"
                f" credentials are revoked ({error}). Run this again."
            ) from error
        self.stdout.write(f"The key {key.prefix} is revoked.")
        if left:
            self.stdout.write(
                f"Credentials in {', '.join(left)} end by themselves, or run this with that SEARCH_URL."
            )
