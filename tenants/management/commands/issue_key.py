"""Issue a further key of a tenant and print it once."""

from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tenants.hidden_fields import HIDEABLE
from tenants.scope import Ability
from tenants.services.create_tenant import system_scope
from tenants.services.find_tenant import find_tenant
from tenants.services.issue_from import LIVES_MAX_DAYS, Wanted, issue_from
from tenants.services.issue_key import KEY_ABILITIES, KeyNotIssuable
from tenants.services.spend import QUOTA_MAX, Quota


class Command(BaseCommand):
    """manage.py issue_key SLUG [--template NAME] [--ability ABILITY …] [--compartment NAME …] [--hide FIELD …] …."""

    help = "Issue a further API key of a tenant; it is the last line printed, and is shown only now."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare SLUG and the options."""
        parser.add_argument("slug")
        parser.add_argument("--name", default="issued at the command line")
        parser.add_argument(
            "--ability",
            action="append",
            choices=[str(ability) for ability in KEY_ABILITIES],
            help="what the key may do; may be given more than once (default: the template's, else what agents need)",
        )
        parser.add_argument("--template", help="what is not named here is taken from this template of the tenant")
        parser.add_argument(
            "--compartment", action="append", help="it sees what is in it; may be given more than once"
        )
        parser.add_argument(
            "--hide", action="append", choices=sorted(HIDEABLE), help="a field that it does not see; more than once"
        )
        parser.add_argument("--user-id", help="a key of this one user, who must have written already")
        for quota in Quota:
            words = quota.replace("_", " ")
            parser.add_argument(
                f"--{quota.replace('_', '-')}",
                type=int,
                help=f"at most so many {words}; 0: any (default: the site's)",
            )
        parser.add_argument("--days", type=int, help="how long it lives (default: the template's, or for ever)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Issue, and print the key alone on the last line."""
        tenant_id = find_tenant(options["slug"])
        if tenant_id is None:
            raise CommandError(f"There is no tenant {options['slug']}; 'create_tenant {options['slug']}' makes it.")
        if options["days"] is not None and not 1 <= options["days"] <= LIVES_MAX_DAYS:
            raise CommandError(f"--days: must be 1 to {LIVES_MAX_DAYS}")
        try:
            issued = issue_from(system_scope(tenant_id), _wanted(options), now=timezone.now())
        except KeyNotIssuable as error:
            raise CommandError(f"--{error.field.replace('_', '-')}: {error.message}") from error
        self.stdout.write(issued.secret)


def _wanted(options: Mapping[str, Any]) -> Wanted:
    abilities, quotas = options["ability"], _quotas(options)
    return Wanted(
        name=options["name"],
        template=options["template"],
        user_id=options["user_id"],
        abilities=None if abilities is None else [Ability(name) for name in abilities],
        compartments=options["compartment"],
        hidden_fields=options["hide"],
        lives_days=options["days"],
        requests_a_minute=quotas[Quota.REQUESTS],
        turns_a_day=quotas[Quota.TURNS],
        recalls_a_minute=quotas[Quota.RECALLS],
    )


def _quotas(options: Mapping[str, Any]) -> dict[Quota, int | None]:
    given: dict[Quota, int | None] = {quota: options[quota] for quota in Quota}
    for name, limit in given.items():
        if limit is not None and not 0 <= limit <= QUOTA_MAX:
            raise CommandError(f"--{name.replace('_', '-')}: must be 0 to {QUOTA_MAX}")
    return given
