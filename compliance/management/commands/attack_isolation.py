"""Attack this site's walls with real keys and real credentials of its engine."""

import logging
import time
from typing import Any

import httpx
from django.core.handlers.wsgi import WSGIHandler
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backends.errors import BackendError
from backends.search.attack import Finding
from compliance.services.attack.isolation import Report, attack_isolation
from compliance.services.attack.planted import API, PlantingFailed
from memories.services.engine import search_engine

SYNC_S = 120.0


class Command(BaseCommand):
    """manage.py attack_isolation [--url URL] [--all]."""

    help = (
        "Make two tenants and try, with the key and the engine's credential of one, every way to what the other has: "
        "on the search engine, in the record and through the API. Exit 1 if anything but what docs/security.md lists "
        "came of it. Run it under the login mneme_web while a worker runs. Both tenants are left, without a live key."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare --url and --all."""
        parser.add_argument("--url", default="", help="of the running site; default: the API inside this process")
        parser.add_argument("--all", action="store_true", help="print every probe, not only what differs")

    def handle(self, *args: Any, **options: Any) -> None:
        """Attack, print, and fail if a wall did not hold."""
        if not options["url"]:  # thousands of refusals are what it is here for; a fault of ours is an ERROR
            logging.getLogger("django.request").setLevel(logging.ERROR)

        def connect(secret: str) -> httpx.Client:
            headers = {"Authorization": f"Bearer {secret}"}
            if options["url"]:
                return httpx.Client(base_url=options["url"], headers=headers, timeout=30)
            transport = httpx.WSGITransport(app=WSGIHandler())
            return httpx.Client(transport=transport, base_url="http://localhost", headers=headers)

        try:
            report = attack_isolation(connect, search_engine(), synced=_wait, now=timezone.now())
        except (BackendError, PlantingFailed, httpx.HTTPError) as error:
            raise CommandError(f"The attack could not be made: {error}") from error
        self._print(report, everything=options["all"])
        if not report.holds:
            raise CommandError("A wall did not hold, or holds better than docs/security.md says; see above.")

    def _print(self, report: Report, *, everything: bool) -> None:
        for side, findings in (("engine", report.engine), ("record", report.record)):
            for finding in findings:
                if everything or finding.differs:
                    self.stdout.write(f"{side}: {_line(finding)}")
            differing = sum(finding.differs for finding in findings)
            self.stdout.write(f"{side}: {len(findings)} probes, {differing} differ from what is known")
        for breach in report.breaches:
            self.stdout.write(f"api: {breach}")
        self.stdout.write(f"api: {report.tried} operations, {len(report.breaches)} breaches")
        for slug in report.slugs:
            self.stdout.write(f"left over: take it away with offboard_tenant {slug} --confirm {slug}")


def _line(finding: Finding) -> str:
    known = f", known is: {finding.known.value}" if finding.differs else ""
    return f"{finding.name}: {finding.found.value}{known} ({finding.detail})"


def _wait(client: httpx.Client) -> None:
    """Return when everything of the tenant is searchable. Raises PlantingFailed, when no worker brings it there."""
    end = time.monotonic() + SYNC_S
    while client.get(f"{API}sync/").json()["pending"]:
        if time.monotonic() > end:
            raise PlantingFailed("the search engine does not catch up; is the worker running?")
        time.sleep(0.5)
