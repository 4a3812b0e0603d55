"""`manage.py consolidate`: consolidate now whatever waits."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from consolidation.services.due import asked
from consolidation.services.rebuild_marked import rebuild_marked
from consolidation.services.work import work
from memories.services.language_model import language_model
from tenants.models import Subject
from tenants.services.create_tenant import system_scope
from tenants.services.find_tenant import find_tenant
from tenants.services.open_scope import open_scope


class Command(BaseCommand):
    """Consolidate whatever waits, of one tenant or user where named."""

    help = "Consolidate now what no run has read yet, whether or not it is due."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("--tenant", help="only of this tenant, by its slug")
        parser.add_argument("--user", help="only of this user, by the tenant's user_id; needs --tenant")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run to the end and say what was decided."""
        tenant_id = subject_id = None
        if options["tenant"]:
            tenant_id = find_tenant(options["tenant"])
            if tenant_id is None:
                raise CommandError(f"there is no tenant {options['tenant']}")
        if options["user"]:
            if tenant_id is None:
                raise CommandError("--user needs --tenant")
            with open_scope(system_scope(tenant_id)):
                subject = Subject.objects.filter(tenant_id=tenant_id, external_id=options["user"]).first()
            if subject is None:
                raise CommandError(f"tenant {options['tenant']} has no user {options['user']}")
            subject_id = subject.id
        self._rebuild(tenant_id)
        worked = work(asked(tenant_id, subject_id), clock=timezone.now, llm=language_model())
        decided = ", ".join(f"{count} {verdict}" for verdict, count in sorted(worked.counts.items())) or "nothing"
        self.stdout.write(f"{worked.runs} runs over {worked.episodes} episodes: {decided}.")
        if worked.busy:
            self.stdout.write(f"{worked.busy} users are consolidated by another worker at this moment.")
        if worked.failed:
            raise CommandError(f"{worked.failed} runs failed; what they did not read waits for the next one")

    def _rebuild(self, tenant_id: UUID | None) -> None:
        """Rebuild what lost evidence, and say what came of it."""
        rebuilt = rebuild_marked(clock=timezone.now, tenant_id=tenant_id)
        if rebuilt:
            told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(rebuilt.items()))
            self.stdout.write(f"Memories that had lost evidence: {told}.")
