"""`/metrics` in the format of Prometheus: how requests, sync and the sealer do; no tenant, no user, no text."""

import secrets
import time
from collections.abc import Callable, Iterator

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from memories.services.growth_figures import growth_figures
from memories.services.sync_figures import sync_figures
from memory_site.errors import method_not_allowed, not_found

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
REQUESTS = Counter("mneme_http_requests", "Answers, by method, route and status.", ["method", "route", "status"])
RECALL = Histogram("mneme_recall_seconds", "From a question to its answer.", buckets=SECONDS)
RECORD = Histogram("mneme_record_seconds", "From turns to their acknowledgement.", ["route"], buckets=SECONDS)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

_RECALL_ROUTE = "api/v1/recall/"
_RECORD_ROUTES = frozenset({"api/v1/turns/", "api/v1/turns/batch/"})


class MetricsMiddleware:
    """Count every answer, and time recall and record."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and count."""
        began = time.perf_counter()
        response = self.get_response(request)
        match = request.resolver_match
        route = match.route if match is not None else "none"  # the pattern: a path holds callers' ids
        method = request.method if request.method in METHODS else "other"
        REQUESTS.labels(method, route, str(response.status_code)).inc()
        if request.method == "POST" and route == _RECALL_ROUTE:
            RECALL.observe(time.perf_counter() - began)
        if request.method == "POST" and route in _RECORD_ROUTES:
            RECORD.labels(route.removeprefix("api/v1/")).observe(time.perf_counter() - began)
        return response


def metrics(request: HttpRequest) -> HttpResponse:
    """Show the metrics to who sends METRICS_TOKEN as a bearer; without the setting there is nothing here."""
    if request.method not in ("GET", "HEAD"):
        return method_not_allowed(request, ("GET", "HEAD"))
    given = request.headers.get("Authorization", "").encode()
    wanted = f"Bearer {settings.METRICS_TOKEN}".encode()
    if not settings.METRICS_TOKEN or not secrets.compare_digest(given, wanted):
        return not_found(request)
    counted: CollectorRegistry = REGISTRY
    if settings.METRICS_FOLDER:
        counted = CollectorRegistry()
        MultiProcessCollector(counted, path=settings.METRICS_FOLDER)  # type: ignore[no-untyped-call]
    looked_up = CollectorRegistry()
    looked_up.register(_Figures())
    return HttpResponse(generate_latest(counted) + generate_latest(looked_up), content_type=CONTENT_TYPE_LATEST)


class _Figures(Collector):
    """What is looked up when somebody asks: the outbox and the sealer, over all tenants."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the gauges; without the database only that it is away."""
        try:
            figures, growth = sync_figures(), growth_figures()
        except DatabaseError:
            yield GaugeMetricFamily("mneme_database_up", "Whether the record answers.", value=0)
            return
        yield GaugeMetricFamily("mneme_database_up", "Whether the record answers.", value=1)
        for name, said, value in (
            ("mneme_outbox_documents", "Documents the engine may not show yet.", figures.pending),
            ("mneme_outbox_oldest_seconds", "Age of the oldest of them.", figures.oldest_s),
            ("mneme_embed_queue_documents", "Documents that wait for their vector.", figures.awaiting_vector),
            ("mneme_dead_letters", "Documents that were given up.", figures.dead_letters),
            ("mneme_events_unsealed", "Events without a number yet.", figures.unsealed),
            ("mneme_sealer_lag_seconds", "Age of the oldest of them.", figures.sealer_lag_s),
        ):
            yield GaugeMetricFamily(name, said, value=value)
        held = GaugeMetricFamily("mneme_memories", "Memories, by kind and status.", labels=["kind", "status"])
        for (kind, status), memories in growth.items():
            held.add_metric([kind, status], memories)
        yield held
