"""Hand-overs between the event loop and threads: as few as can be, and answers as Django's own handler gives them."""

import asyncio
from typing import Any

import asgiref.sync
import httpx
import pytest
from django.core.handlers.asgi import ASGIHandler

from memory_site.one_thread import OneThread

PATHS = ("/health/live/", "/nowhere/", "/api/v1/recall/")


@pytest.fixture
def hand_overs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note each hand-over, either way."""
    noted: list[str] = []
    for kind in (asgiref.sync.SyncToAsync, asgiref.sync.AsyncToSync):
        call = kind.__call__

        def counted(self: Any, *args: Any, _call: Any = call, _name: str = kind.__name__, **kwargs: Any) -> Any:
            noted.append(_name)
            return _call(self, *args, **kwargs)

        monkeypatch.setattr(kind, "__call__", counted)
    return noted


def asked(handler: Any, path: str) -> httpx.Response:
    """Send one request without a key."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=handler)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get(path)

    return asyncio.run(ask())


def test_a_request_goes_to_its_thread_once_and_never_back_before_it_is_answered(hand_overs: list[str]) -> None:
    handler = OneThread()
    hand_overs.clear()
    assert asked(handler, PATHS[0]).status_code == 200
    # What starts a request, the request, and what ends it.
    assert hand_overs == ["SyncToAsync"] * 3


@pytest.mark.parametrize("path", PATHS)
def test_answers_are_those_of_djangos_own_handler(path: str, record: None) -> None:
    ours, djangos = asked(OneThread(), path), asked(ASGIHandler(), path)
    assert ours.status_code == djangos.status_code
    assert ours.headers.keys() == djangos.headers.keys()
    without_id = [{k: v for k, v in answer.json().items() if k != "request_id"} for answer in (ours, djangos)]
    assert without_id[0] == without_id[1]
