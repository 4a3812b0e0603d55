"""Take a tenant away for ever."""

import time
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils import timezone

from backends.errors import BackendError
from memories.services.engine import embedder, search_engine
from memories.services.offboard import GRACE, NoSuchTenant, offboard
from memories.services.offboard_step import NotEmpty, note_wait, offboard_step
from memories.services.offboarding_receipt import StillThere, receipt_file, write_receipts
from memories.services.sync import sync
from tenants.models import Offboarding
from tenants.models.offboarding import Step
from tenants.services.signing import NoAuditKey

PAUSE_S = 0.5


class Command(BaseCommand):
    """manage.py offboard_tenant SLUG --confirm SLUG [--wait], under the worker's login."""

    help = "Take a tenant and all that is kept of it away, and write a signed receipt. Nothing brings it back."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare SLUG and the options."""
        parser.add_argument("slug")
        parser.add_argument("--confirm", required=True, metavar="SLUG", help="the same again")
        parser.add_argument("--wait", action="store_true", help="do the worker's part here, and end when it is done")
        parser.add_argument(
            "--grace-s",
            type=int,
            default=int(GRACE.total_seconds()),
            help="seconds for requests under way to end (default: %(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Begin, or go on with what has begun, and say how far it is."""
        slug = options["slug"]
        if options["confirm"] != slug:
            raise CommandError(f"--confirm: to take {slug} away for ever, say --confirm {slug}")
        grace = timedelta(seconds=options["grace_s"])
        try:
            job = offboard(slug, engine=search_engine(), grace=grace, now=timezone.now())
        except NoSuchTenant as error:
            raise CommandError(f"There is no tenant {slug}.") from error
        except NoAuditKey as error:
            raise CommandError(f"The receipt could not be signed. {error}") from error
        except BackendError as error:
            raise CommandError(f"The search engine did not answer: {error}") from error
        self.stdout.write(f"Tenant {job.tenant_id} is on its way out: its keys are revoked. Offboarding {job.id}.")
        if not options["wait"]:
            self.stdout.write("The worker goes on; run this again with --wait to see it end.")
            return
        while job.step != Step.DONE:
            job = self._go_on(job)
            time.sleep(PAUSE_S)
        folder = Path(settings.RECEIPTS_FOLDER)
        write_receipts(folder)
        self.stdout.write(
            f"Nothing is left. Receipt: {receipt_file(folder, slug, job)}"
        )  # a worker may have written it

    def _go_on(self, job: Offboarding) -> Offboarding:
        try:
            sync(search_engine(), model=embedder().model, now=timezone.now())
            return offboard_step(job.id, engine=search_engine(), now=timezone.now())
        except (BackendError, DatabaseError, NotEmpty, StillThere, NoAuditKey) as error:
            self.stderr.write(f"waits: {type(error).__name__}: {error}")
            note_wait(job.id, code=type(error).__name__, now=timezone.now())
        return job
