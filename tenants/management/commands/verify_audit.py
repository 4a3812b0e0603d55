"""Verify the event log: every chain, every hash."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tenants.services.find_tenant import find_tenant
from tenants.services.signed_heads import read_heads
from tenants.services.signing import BadSignature
from tenants.services.verify_chain import chains, verify_chain


class Command(BaseCommand):
    """manage.py verify_audit [--tenant SLUG] [--heads FILE [--public KEY]]."""

    help = "Verify the chains of the event log; ends with 1 and one line a fault when something does not agree."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument("--tenant", help="only this tenant's chain")
        parser.add_argument("--heads", type=Path, help="the file of signed heads, from where it is kept")
        parser.add_argument("--public", help="the key that must have signed them, as base64")

    def handle(self, *args: Any, **options: Any) -> None:
        """Verify and print."""
        wanted = chains()
        if options["tenant"]:
            tenant_id = find_tenant(options["tenant"])
            if tenant_id is None:
                raise CommandError(f"There is no tenant {options['tenant']}.")
            wanted = [tenant_id]
        try:
            lines = options["heads"].read_text(encoding="utf-8").splitlines() if options["heads"] else []
            signed = read_heads(lines, public=options["public"])
        except (OSError, ValueError, KeyError, BadSignature) as error:
            raise CommandError(f"The heads cannot be read: {error}") from error
        faulty = 0
        for chain in sorted({*wanted, *(signed if not options["tenant"] else ())}, key=str):
            verdict = verify_chain(chain, signed=signed.get(chain))
            for fault in verdict.faults:
                self.stdout.write(f"{chain or 'site'} event {fault.seq}: {fault.code}")
            self.stdout.write(f"{chain or 'site'}: {verdict.events} events, {len(verdict.faults)} faults")
            faulty += bool(verdict.faults)
        if faulty:
            raise CommandError(f"{faulty} of the chains do not agree with what was sealed.")
