"""A websocket's handshake: what it shows, and whether its page is ours. Keys never come in the URL."""

from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest

from inspector.services.admit import Shown
from tenants.ids import uuid7

PROTOCOL = "mneme.events.v1"
KEY_PROTOCOL = "mneme.key."
"""A client that cannot set headers offers the key as a second subprotocol: mneme.key.<key>."""

_SCHEMES = {"ws": "http", "wss": "https"}


def shown_by(scope: dict[str, Any]) -> Shown:
    """Return what a socket shows; a key outweighs a session."""
    request = _request(scope)
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    offered = [name.removeprefix(KEY_PROTOCOL) for name in _offered(scope) if name.startswith(KEY_PROTOCOL)]
    key = secret.strip() if scheme.lower() == "bearer" else next(iter(offered), "")
    return Shown(
        key=key,
        session_key="" if key else request.COOKIES.get(settings.SESSION_COOKIE_NAME, ""),
        slug=request.GET.get("tenant", ""),
        address=request.META.get("REMOTE_ADDR", ""),
        request_id=str(uuid7()),
    )


def chosen_protocol(scope: dict[str, Any]) -> str | None:
    """Return the subprotocol to answer with; browsers refuse an answer without one when they offered any."""
    return PROTOCOL if PROTOCOL in _offered(scope) else None


def is_from_our_page(scope: dict[str, Any], shown: Shown) -> bool:
    """Say whether the Origin is this site itself, judged as Django's CSRF check does.

    Browsers always send one; a client without one is no browser, holds no session, and must show a key.
    """
    request = _request(scope)
    origin = request.headers.get("Origin")
    if origin is None:
        return bool(shown.key)
    try:
        own = f"{request.scheme}://{request.get_host()}"
    except DisallowedHost:
        return False
    return origin == own or origin in settings.CSRF_TRUSTED_ORIGINS


def _offered(scope: dict[str, Any]) -> list[str]:
    return list(scope.get("subprotocols", []))


def _request(scope: dict[str, Any]) -> ASGIRequest:
    """Return the handshake as the HTTP request that it is."""
    scheme = _SCHEMES[scope.get("scheme") or "ws"]
    return ASGIRequest({**scope, "type": "http", "method": "GET", "scheme": scheme}, BytesIO())
