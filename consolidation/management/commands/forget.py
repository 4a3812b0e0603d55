"""`manage.py forget`: archive what has faded, delete what was archived for long, or only say what would be."""

from argparse import ArgumentParser
from collections import Counter
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from consolidation.services.fading import Figure
from consolidation.services.forget import forget, preview
from memories.services.language_model import language_model
from tenants.models import Subject
from tenants.services.create_tenant import system_scope
from tenants.services.find_tenant import find_tenant
from tenants.services.open_scope import open_scope


class Command(BaseCommand):
    """Forget of one tenant, or one of its users, now."""

    help = "Archive what has faded, and delete what was archived for long where the tenant's policy says so."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("tenant", help="by its slug")
        parser.add_argument("--user", help="only of this user, by the tenant's user_id")
        parser.add_argument("--dry-run", action="store_true", help="say what would be forgotten, and change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Forget, or say what would be."""
        tenant_id = find_tenant(options["tenant"])
        if tenant_id is None:
            raise CommandError(f"there is no tenant {options['tenant']}")
        try:
            if options["dry_run"]:
                found = preview(system_scope(tenant_id), user_id=options["user"], now=timezone.now())
                episodes = sum(len(one.memory_ids) for one in found.summarise)
                self.stdout.write(f"{episodes} episodes of {len(found.summarise)} conversations would be summarised.")
                self._say("archived", found.archive)
                self._say("deleted", found.delete)
                return
            done = forget(
                tenant_id, self._subject_id(tenant_id, options["user"]), clock=timezone.now, llm=language_model()
            )
        except Subject.DoesNotExist as error:
            raise CommandError(f"tenant {options['tenant']} has no user {options['user']}") from error
        self.stdout.write(
            f"{done.summarised} episodes summarised, {done.archived} memories archived, {done.deleted} deleted."
        )

    def _subject_id(self, tenant_id: UUID, user_id: str | None) -> UUID | None:
        if user_id is None:
            return None
        with open_scope(system_scope(tenant_id)):
            return Subject.objects.get(tenant_id=tenant_id, external_id=user_id).id

    def _say(self, ended: str, figures: list[Figure]) -> None:
        kinds = ", ".join(
            f"{count} {kind}" for kind, count in sorted(Counter(f.memory_type for f in figures).items())
        )
        self.stdout.write(f"{len(figures)} memories would be {ended}{f': {kinds}' if kinds else ''}.")
        for figure in sorted(figures, key=lambda one: one.strength)[:20]:
            self.stdout.write(
                f"  {figure.id} {figure.memory_type} strength {figure.strength:.3f}, last accessed "
                f"{figure.accessed_at:%Y-%m-%d}: {figure.why}"
            )
