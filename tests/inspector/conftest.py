"""Sockets as a client opens them, on a real Postgres and a real Valkey."""

import asyncio
import json
import tempfile
import threading
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest
from asgiref.testing import ApplicationCommunicator
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from inspector.routing import websockets
from memory_site.stack.valkey import Valkey
from tenants.models import Membership
from tenants.roles import Role
from tenants.services.announce import announce
from tenants.services.open_scope import open_scope
from tenants.services.seal_events import Sealed, seal_events
from tests.conftest import Caller, login

Answer = TypeVar("Answer")
HEARD_WITHIN_S = 5.0
HOST = "testserver"


class Socket:
    """A websocket, spoken to from a test that is not asynchronous."""

    def __init__(self, run: Callable[[Coroutine[Any, Any, Any]], Any], path: str, headers: dict[str, str]) -> None:
        self._run = run
        place, _, query = path.partition("?")
        self._scope = {
            "type": "websocket",
            "path": place,
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in {"host": HOST, **headers}.items()],
            "subprotocols": [name.strip() for name in headers.get("sec-websocket-protocol", "").split(",") if name],
        }
        first = run(self._connect())
        self.is_accepted = first["type"] == "websocket.accept"
        self.protocol = first.get("subprotocol")

    async def _connect(self) -> Any:
        made: Any = ApplicationCommunicator  # an untyped library
        self._communicator = made(websockets, self._scope)
        await self._communicator.send_input({"type": "websocket.connect"})
        return await self._communicator.receive_output(HEARD_WITHIN_S)

    def start(self, last_seq: int | None = None) -> "Socket":
        """Ask for the stream."""
        return self.say(json.dumps({"type": "start", "last_seq": last_seq}))

    def say(self, text: str) -> "Socket":
        """Send a frame of text."""
        self._run(self._communicator.send_input({"type": "websocket.receive", "text": text}))
        return self

    def hear(self, within_s: float = HEARD_WITHIN_S) -> dict[str, Any]:
        """Return the next message; fail when none comes in time."""
        output = self._run(self._communicator.receive_output(within_s))
        assert output["type"] == "websocket.send", output
        message: dict[str, Any] = json.loads(output["text"])
        return message

    def events(self, last: int, within_s: float = HEARD_WITHIN_S) -> list[dict[str, Any]]:
        """Return what is streamed up to an event's number."""
        found: list[dict[str, Any]] = []
        while not found or found[-1]["seq"] < last:
            message = self.hear(within_s)
            assert message["type"] in {"events", "alive"}, message
            found += message.get("events", [])
        return found

    def is_silent(self, for_s: float = 0.5) -> bool:
        """Say whether nothing comes for a while."""
        return bool(self._run(self._communicator.receive_nothing(for_s)))

    def close_code(self, within_s: float = HEARD_WITHIN_S) -> int:
        """Return the code of the close, which must be what comes next."""
        message = self._run(self._communicator.receive_output(within_s))
        assert message["type"] == "websocket.close", message
        return int(message["code"])

    def close(self) -> None:
        """Go away, as a client does."""
        self._run(self._leave())

    async def _leave(self) -> None:
        await self._communicator.send_input({"type": "websocket.disconnect", "code": 1005})
        await self._communicator.wait(HEARD_WITHIN_S)


OpenSocket = Callable[..., Socket]


@dataclass(frozen=True, slots=True, kw_only=True)
class Staff:
    """A member of staff with a session."""

    id: int
    client: Client

    @property
    def cookie(self) -> str:
        """Return the session's cookie as a browser sends it."""
        name = django_settings.SESSION_COOKIE_NAME
        return f"{name}={self.client.cookies[name].value}"


Hire = Callable[..., Staff]


@pytest.fixture
def hire(record: None) -> Hire:
    """Return a function that makes a member of staff of some tenants, and a session."""

    def make(name: str, role: Role, *callers: Caller) -> Staff:
        user = User.objects.create(username=name, is_staff=True)
        for caller in callers:
            with open_scope(caller.system):
                Membership.objects.create(
                    tenant_id=caller.key.tenant_id, user_id=user.pk, role=role, created_at=timezone.now()
                )
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return Staff(id=user.pk, client=client)

    return make


@pytest.fixture
def open_socket(record: None) -> Iterator[OpenSocket]:
    """Return a function that opens a socket; all are closed afterwards."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    opened: list[Socket] = []

    def run(work: Coroutine[Any, Any, Answer]) -> Answer:
        return asyncio.run_coroutine_threadsafe(work, loop).result(30)

    def make(path: str = "/ws/events/", *, key: str = "", staff: Staff | None = None, **headers: str) -> Socket:
        if key:
            headers["authorization"] = f"Bearer {key}"
        if staff is not None:
            headers = {"origin": f"http://{HOST}", **headers, "cookie": staff.cookie}
        socket = Socket(run, path, {name.replace("_", "-"): value for name, value in headers.items()})
        opened.append(socket)
        return socket

    yield make
    for socket in opened:
        socket.close()
    run(loop.shutdown_default_executor())
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture(scope="session")
def valkey() -> Iterator[Valkey]:
    """Start a Valkey for the session."""
    with tempfile.TemporaryDirectory(prefix="mneme-valkey-", ignore_cleanup_errors=True) as folder:
        server = Valkey(Path(folder))
        server.start()
        yield server
        server.remove()


@pytest.fixture
def nudges(valkey: Valkey, settings: Any) -> Iterator[Valkey]:
    """Put the channel layer on the Valkey, which a test may kill."""
    valkey.start()
    layer = django_settings.CHANNEL_LAYERS["default"]
    host = {**layer["CONFIG"]["hosts"][0], "address": valkey.address}
    settings.CHANNEL_LAYERS = {"default": {**layer, "CONFIG": {**layer["CONFIG"], "hosts": [host]}}}
    yield valkey


def seal_and_announce() -> bool:
    """Do what the sealer's process does until nothing is left; say whether listeners were told."""
    sealed: list[Sealed] = []
    with login("mneme_worker"):
        while done := seal_events(now=timezone.now()):
            sealed += done
        return asyncio.run(announce(sealed))
