"""Issue a further key of a tenant and print it once."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tenants.models import Subject
from tenants.scope import Ability, Quotas, Scope
from tenants.services.create_tenant import system_scope
from tenants.services.find_tenant import find_tenant
from tenants.services.issue_key import AGENT_ABILITIES, OFFERED_ABILITIES, issue_key
from tenants.services.list_subjects import list_subjects
from tenants.services.spend import QUOTA_MAX, Quota


class Command(BaseCommand):
    """manage.py issue_key SLUG [--name NAME] [--ability ABILITY …] [--user-id ID] [--days N]."""

    help = "Issue a further API key of a tenant; it is the last line printed, and is shown only now."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare SLUG and the options."""
        parser.add_argument("slug")
        parser.add_argument("--name", default="issued at the command line")
        parser.add_argument(
            "--ability",
            action="append",
            choices=[str(ability) for ability in OFFERED_ABILITIES],
            help="what the key may do; may be given more than once (default: what agents need)",
        )
        parser.add_argument("--user-id", help="a key of this one user, who must have written already")
        for quota in Quota:
            words = quota.replace("_", " ")
            parser.add_argument(
                f"--{quota.replace('_', '-')}",
                type=int,
                help=f"at most so many {words}; 0: any (default: the site's)",
            )
        parser.add_argument("--days", type=int, help="how long it lives (default: until it is revoked)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Issue, and print the key alone on the last line."""
        tenant_id = find_tenant(options["slug"])
        if tenant_id is None:
            raise CommandError(f"There is no tenant {options['slug']}; 'create_tenant {options['slug']}' makes it.")
        if options["days"] is not None and options["days"] < 1:
            raise CommandError("--days: must be 1 or more")
        scope, now = system_scope(tenant_id), timezone.now()
        issued = issue_key(
            scope,
            name=options["name"],
            subject=_subject(scope, options["user_id"]),
            abilities=[Ability(name) for name in options["ability"] or AGENT_ABILITIES],
            quotas=_quotas(options),
            expires_at=None if options["days"] is None else now + timedelta(days=options["days"]),
            now=now,
        )
        self.stdout.write(issued.secret)


def _quotas(options: Mapping[str, Any]) -> Quotas:
    given = {str(quota): options[quota] for quota in Quota}
    for name, limit in given.items():
        if limit is not None and not 0 <= limit <= QUOTA_MAX:
            raise CommandError(f"--{name.replace('_', '-')}: must be 0 to {QUOTA_MAX}")
    return Quotas(**given)


def _subject(scope: Scope, user_id: str | None) -> Subject | None:
    if user_id is None:
        return None
    found = list_subjects(scope, user_id=user_id, before=None, limit=1)
    if not found:
        raise CommandError(f"--user-id: the tenant has no user {user_id} yet")
    return found[0]
