"""Health: alive, and ready to serve."""

from collections.abc import Callable

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse

from backends.errors import BackendError
from memories.services.engine import embedder, search_engine
from memories.services.sync_figures import sync_figures
from memory_site.errors import method_not_allowed
from tenants.services.walls import wall_faults

_METHODS = ("GET", "HEAD")


def live(request: HttpRequest) -> JsonResponse:
    """Say that the process answers."""
    if request.method not in _METHODS:
        return method_not_allowed(request, _METHODS)
    return JsonResponse({"status": "alive"})


def ready(request: HttpRequest) -> JsonResponse:
    """Say whether requests can be served: 200, or 503 when the record or a wall is missing.

    Engine, embedder, broker and dead letters are reported too, but they only degrade answers, so it is no 503.
    """
    if request.method not in _METHODS:
        return method_not_allowed(request, _METHODS)
    checks = {name: check() for name, check in _CHECKS.items()}
    fit = checks["database"] == "ok" and checks["walls"] == "ok"
    return JsonResponse({"status": "ready" if fit else "not ready", "checks": checks}, status=200 if fit else 503)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "no answer"
    return "ok"


def _walls() -> str:
    try:
        return "the walls do not stand; see manage.py check --database default" if wall_faults() else "ok"
    except DatabaseError:
        return "unknown"


def _search() -> str:
    try:
        search_engine().ping()
    except BackendError:
        return "no answer"
    return "ok"


def _isolation() -> str:
    """Say which walls the engine does not give; recall answers as far as it may without them."""
    try:
        return "; ".join(search_engine().isolation_faults()) or "ok"
    except BackendError:
        return "unknown"


def _native() -> str:
    """Say whether what was asked of the engine's own works; the portable way answers where it does not."""
    engine = search_engine()
    if not engine.native.asked:
        return "not asked for"
    try:
        return "; ".join(engine.native_faults()) or "ok"
    except BackendError:
        return "unknown"


def _embedder() -> str:
    """Ask the model of this process; another one's server would be sent a text, and paid, for each probe."""
    if not embedder().in_process:
        return "not asked"
    try:
        embedder().query("ready")
    except BackendError as error:
        return f"no answer: {error}"
    return "ok"


def _broker() -> str:
    client = redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=0.5, socket_timeout=0.5)
    try:
        client.ping()
    except (redis.RedisError, OSError):
        return "no answer"
    finally:
        client.close()
    return "ok"


def _sync() -> str:
    try:
        dead = sync_figures().dead_letters
    except DatabaseError:
        return "unknown"
    return f"{dead} dead letters: look at them in the admin, then manage.py retry_dead_letters" if dead else "ok"


_CHECKS: dict[str, Callable[[], str]] = {
    "database": _database,
    "walls": _walls,
    "search": _search,
    "isolation": _isolation,
    "native": _native,
    "sync": _sync,
    "embedder": _embedder,
    "broker": _broker,
}
