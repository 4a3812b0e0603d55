"""Ask a tenant's golden questions."""

from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from memories.services.golden import check_golden
from memories.services.recall_here import recall_here
from tenants.models import ApiKey
from tenants.scope import Ability, Scope
from tenants.services.authenticate import is_live, scope_of
from tenants.services.create_tenant import system_scope
from tenants.services.find_tenant import find_tenant
from tenants.services.open_scope import open_scope


class Command(BaseCommand):
    """manage.py check_golden SLUG: exit code 1 when a golden question does not hold, so that it can gate a change."""

    help = "Ask a tenant's golden questions with the rights of its widest key; ends with 1 when one does not hold."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare SLUG."""
        parser.add_argument("slug")

    def handle(self, *args: Any, **options: Any) -> None:
        """Ask, print a line a question that does not hold, and the count."""
        scope = _scope(options["slug"])
        checked = check_golden(scope, partial(recall_here, now=timezone.now()))
        failed = [one for one in checked if not one.passed]
        for one in failed:
            missing = ", ".join(map(str, one.missing)) or f"the match is {one.match}"
            self.stdout.write(f"{one.golden.id}: not among the first {one.golden.within}: {missing}")
        self.stdout.write(f"{len(checked) - len(failed)} of {len(checked)} golden questions hold")
        if failed:
            raise CommandError(f"{len(failed)} golden questions do not hold", returncode=1)


def _scope(slug: str) -> Scope:
    """Return the scope of the tenant's widest live key: engines know no other credentials than keys'."""
    tenant_id = find_tenant(slug)
    if tenant_id is None:
        raise CommandError(f"There is no tenant {slug}.")
    now = timezone.now()
    with open_scope(system_scope(tenant_id)):
        keys = [key for key in ApiKey.objects.filter(subject_id__isnull=True) if is_live(key, now=now)]
    able = [key for key in keys if {Ability.MEMORIES_READ, Ability.KEYS_MANAGE} <= set(key.abilities)]
    if not able:
        wanted = f"issue_key {slug} --ability {Ability.MEMORIES_READ} --ability {Ability.KEYS_MANAGE}"
        raise CommandError(f"{slug} has no live key that reads memories and manages keys; '{wanted}' makes one.")
    widest = max(able, key=lambda key: (len(key.kinds), len(key.compartments), -len(key.hidden_fields), key.id))
    return scope_of(widest, request_id="check_golden")
