"""Make a restored database and the search engine one again, before anybody is served."""

import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backends.errors import BackendError
from backends.search import names
from memories.services.after_restore import erase_again, raise_above, still_waiting
from memories.services.compare import tenants_of
from memories.services.drift import find_drift, mend_drift
from memories.services.embed import embed
from memories.services.engine import embedder, search_engine
from memories.services.erase import erase_step, open_jobs
from memories.services.erasure_ledger import erasures
from memories.services.reindex import reindex
from memories.services.sync import sync

ROUNDS = 20
PAUSE_S = 1.0


class Command(BaseCommand):
    """manage.py after_restore, under the worker's login, with web, workers and beat stopped; may be run again."""

    help = "After a restore of Postgres: raise versions, erase again, bring every row to the engine, compare."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add where the ledger of erasures is."""
        parser.add_argument(
            "--erasures", action="append", type=Path, help="the ledger; may be repeated (default: ERASURES_FILE)"
        )
        parser.add_argument("--no-erasures", action="store_true", help="nobody was erased since the backup")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it in the one order that is safe."""
        ledger = [] if options["no_erasures"] else self._ledger(options["erasures"] or [Path(settings.ERASURES_FILE)])
        try:
            highest = raise_above(search_engine())
            self.stdout.write(f"1. Versions go on above {highest}, the engine's highest.")
            begun = erase_again(ledger, now=timezone.now())
            self.stdout.write(
                f"2. {begun} of the ledger's {len(ledger)} erasures, unknown to the backup, begin anew."
            )
            self.stdout.write(f"3. {reindex()} rows are brought to the engine.")
            self._drain()
            self.stdout.write("4. All that waited is in the engine, and all erasures are done.")
            mended = self._compared()
            self.stdout.write(f"5. Compared: {mended} documents that the backup does not know are removed.")
        except BackendError as error:
            raise CommandError(f"{error}. Nothing is lost: run this again when the engine answers.") from error
        except OSError as error:
            raise CommandError(f"The ledger of erasures cannot be written: {error}. Run this again then.") from error

    def _ledger(self, files: list[Path]) -> list[Any]:
        try:
            return [erased for file in files for erased in erasures(file)]
        except OSError as error:
            raise CommandError(
                f"{error.filename}: the ledger of erasures cannot be read. Whoever was erased after the backup would"
                " be back: name it by --erasures, or say --no-erasures if nobody was."
            ) from error

    def _drain(self) -> None:
        """Sync, embed and erase until nothing is left to do: what was put off meanwhile is waited for."""
        engine, model = search_engine(), embedder().model
        for _ in range(ROUNDS):
            busy = True
            while busy:
                busy = bool(sync(engine, model=model, now=timezone.now()).claimed)
                busy = bool(embed(embedder(), now=timezone.now()).claimed) or busy
            for job_id in open_jobs():
                erase_step(job_id, engine=engine, now=timezone.now())
            waiting, erasing = still_waiting(), len(open_jobs())
            if not waiting and not erasing:
                return
            time.sleep(PAUSE_S)
        raise CommandError(
            f"{waiting} documents are not in the engine yet, and {erasing} erasures are not done: the log and the"
            " messages of the jobs say why. Nothing is lost: run this again."
        )

    def _compared(self) -> int:
        """Mend what still differs: documents of rows that came after the backup."""
        engine = search_engine()
        return sum(
            mend_drift(drift, engine=engine, now=timezone.now())
            for tenant_id in tenants_of(names.KINDS, engine=engine)
            for drift in find_drift(tenant_id, engine=engine, now=timezone.now())
        )
