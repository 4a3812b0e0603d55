"""Rebuild the search engine's indexes while writes and searches go on."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from backends.errors import BackendError, Unavailable
from backends.search import names
from memories.models import IndexRebuild
from memories.services.compare import SLICE, tenants_of
from memories.services.engine import embedder, search_engine
from memories.services.rebuild import (
    GenerationsDiffer,
    RebuildRunning,
    backfill,
    begin_rebuild,
    compare_tenant,
    finish_rebuild,
    let_go,
)
from tenants.ids import uuid7

PATIENCE = 30
PAUSE_S = 2.0
"""An engine that is away is asked again so often, after such a pause; then the command ends, and may be run again."""


class Command(BaseCommand):
    """manage.py rebuild_index [--kind KIND …] [--drop-old], under the worker's login; resumes where it was killed."""

    help = (
        "Make the search engine's indexes anew from the record, beside those that are searched, and swap when both"
        " are equal. Run again after a crash, it goes on where it stopped."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add what to rebuild and how gently."""
        parser.add_argument("--kind", action="append", choices=names.KINDS, help="these kinds only; may be repeated")
        parser.add_argument(
            "--drop-old",
            action="store_true",
            help="remove the generations kept by earlier rebuilds, and nothing else",
        )
        parser.add_argument("--slice", type=int, default=SLICE, help="rows at a time")
        parser.add_argument("--pause", type=float, default=0.0, help="seconds to wait between slices, to be gentle")

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuild one kind after the other."""
        holder = uuid7()
        for kind in options["kind"] or names.KINDS:
            try:
                if options["drop_old"]:
                    dropped = search_engine().drop_old(kind)
                    self.stdout.write(f"{kind}: {'dropped' if dropped else 'there was no old generation'}")
                else:
                    rebuild = begin_rebuild(kind, engine=search_engine(), holder=holder, now=timezone.now())
                    self._rebuild(rebuild, limit=options["slice"], pause_s=options["pause"])
            except (BackendError, GenerationsDiffer, RebuildRunning) as error:
                raise CommandError(str(error)) from error
            finally:
                let_go(kind, holder=holder)

    def _rebuild(self, rebuild: IndexRebuild, *, limit: int, pause_s: float) -> None:
        engine, model = search_engine(), embedder().model
        if rebuild.written:
            self.stdout.write(f"{rebuild.kind}: goes on after {rebuild.written} rows")
        while self._patiently(lambda: backfill(rebuild, engine=engine, model=model, limit=limit, now=timezone.now())):
            time.sleep(pause_s)
        for tenant_id in self._patiently(lambda: tenants_of([rebuild.kind], engine=engine)):
            self._patiently(
                lambda of=tenant_id: compare_tenant(rebuild, of, engine=engine, model=model, now=timezone.now())
            )
        self._patiently(lambda: finish_rebuild(rebuild, engine=engine, now=timezone.now()))
        self.stdout.write(f"{rebuild.kind}: {rebuild.written} rows rebuilt, compared and in use")

    def _patiently(self, step: Any) -> Any:
        """Run a step, again and again while the engine is away."""
        for attempt in range(PATIENCE):
            try:
                return step()
            except Unavailable as error:
                if attempt == PATIENCE - 1:
                    raise
                self.stderr.write(f"{error}; tried again")
                time.sleep(PAUSE_S)
        return None
