"""Verify the event log: every chain, every hash."""

from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tenants.services.find_tenant import find_tenant
from tenants.services.signed_heads import read_heads
from tenants.services.signing import BadSignature, NoAuditKey, audit_key, public_part
from tenants.services.verify_chain import Heads, chains, verify_chain


class Command(BaseCommand):
    """manage.py verify_audit [--tenant SLUG] [--heads FILE | --no-heads] [--public KEY …]."""

    help = "Verify the chains of the event log; ends with 1 and one line a fault when something does not agree."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument("--tenant", help="only this tenant's chain")
        parser.add_argument("--heads", type=Path, help="the file of signed heads (default: AUDIT_HEADS_FILE)")
        parser.add_argument("--no-heads", action="store_true", help="without signed heads: a cut tail may go unseen")
        parser.add_argument(
            "--public",
            action="append",
            default=[],
            help="a key that may have signed them, as base64, beside that of AUDIT_KEY; may be given more than once",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Verify and print."""
        wanted = chains()
        if options["tenant"]:
            tenant_id = find_tenant(options["tenant"])
            if tenant_id is None:
                raise CommandError(f"There is no tenant {options['tenant']}.")
            wanted = [tenant_id]
        signed = {} if options["no_heads"] else self._signed(options["heads"], options["public"])
        faulty = 0
        for chain in sorted({*wanted, *(signed if not options["tenant"] else ())}, key=str):
            verdict = verify_chain(chain, signed=signed.get(chain))
            for fault in verdict.faults:
                self.stdout.write(f"{chain or 'site'} event {fault.seq}: {fault.code}")
            self.stdout.write(f"{chain or 'site'}: {verdict.events} events, {len(verdict.faults)} faults")
            faulty += bool(verdict.faults)
        if faulty:
            raise CommandError(f"{faulty} of the chains do not agree with what was sealed.")

    def _signed(self, given: Path | None, public: list[str]) -> dict[UUID | None, Heads]:
        file = given or Path(settings.AUDIT_HEADS_FILE)
        if given is None and not file.exists():
            self.stdout.write(f"no signed heads in {file}: a tail that was cut with its head goes unseen")
            return {}
        try:
            own = [public_part(audit_key())] if settings.AUDIT_KEY else []
            with file.open(encoding="utf-8") as lines:
                return read_heads(lines, public=[*own, *public])
        except (OSError, ValueError, KeyError, TypeError, BadSignature, NoAuditKey) as error:
            raise CommandError(f"The heads cannot be read: {error}") from error
