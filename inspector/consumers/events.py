"""`ws/events/`: the sealed events of one tenant, in the order of their numbers, resumed without gap or double.

Each socket reads Postgres by itself, so what it sends is what the scope may see at that moment. It holds one batch at
a time: while a client does not take it, nothing further is read.
"""

import asyncio
import json
import logging
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import OperationalError
from django.utils import timezone

from inspector.forms.event import rendered
from inspector.forms.handshake import chosen_protocol, is_from_our_page, shown_by
from inspector.forms.wish import Load, Start, Unreadable, wish_of
from inspector.services.admit import Unauthenticated, admit, count_request
from inspector.services.listen import Listener
from inspector.services.read_events import Seen, last_seq, read_events
from tenants.forms.moments import iso
from tenants.scope import Scope, ScopeDenied
from tenants.services.spend import QuotaSpent

log = logging.getLogger(__name__)
Answer = TypeVar("Answer")

BATCH_EVENTS = 200
NEWEST_EVENTS = 100
"""How far back a stream begins that names no number."""
GAP_MAX_EVENTS = 1_000
BATCH_S = 0.25
POLL_S = 1.0
HEARTBEAT_S = 5.0
ADMITTED_S = 5.0
"""How long an admission holds: so long a revoked key or membership may still watch."""
START_WITHIN_S = 10.0

UNREADABLE, UNAUTHENTICATED, DENIED, SILENT, SPENT, FAILED = 4400, 4401, 4403, 4408, 4429, 1011

# A few threads for all sockets of the process: they leave most of the database's connections to requests.
_threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="inspector")


class EventStream(AsyncWebsocketConsumer):  # type: ignore[misc] # untyped library
    """One socket. It takes nudges by a Listener of its own: a broker that is away must not end it."""

    channel_layer_alias = "none: see Listener"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._tasks: set[asyncio.Task[None]] = set()
        self._admitted: Scope | None = None
        self._admitted_at = self._said_at = 0.0
        self._is_started = False
        self._is_closed = False

    async def connect(self) -> None:
        """Refuse a foreign page; accept, then close with a code whoever may not watch."""
        self._shown = shown_by(self.scope)
        if not is_from_our_page(self.scope, self._shown):
            await self._end(DENIED)
            return
        await self.accept(chosen_protocol(self.scope))
        scope = await self._guarded(self._in_thread(self._counted_scope))
        if scope is not None:
            self._listener = Listener(scope.tenant_id)
            self._spawn(self._expect_start())

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Start the stream once, or load what it left out."""
        if self._is_closed or self._admitted is None:
            return
        try:
            wish = wish_of(text_data)
        except Unreadable:
            await self._end(UNREADABLE)
            return
        if isinstance(wish, Load):
            await self._guarded(self._load(wish))
        elif self._is_started:
            await self._end(UNREADABLE)
        else:
            self._is_started = True
            self._spawn(self._listener.run())
            self._spawn(self._stream(wish))

    async def disconnect(self, code: int) -> None:
        """Stop reading and listening."""
        self._is_closed = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _stream(self, start: Start) -> None:
        after = await self._guarded(self._begin(start))
        while after is not None and not self._is_closed:
            after = await self._guarded(self._go_on(after))

    async def _begin(self, start: Start) -> int:
        """Return the number to stream after, having said what is left out."""
        last = await self._patiently(lambda: last_seq(self._scope()))
        newest = max(last - NEWEST_EVENTS, 0)
        if start.last_seq is None:
            return newest
        if start.last_seq > last:  # of another database, or of one put back in time
            await self._say({"type": "reset"})
            return newest
        if last - start.last_seq > GAP_MAX_EVENTS:
            await self._say({"type": "too_old", "first": start.last_seq + 1, "last": newest})
            return newest
        return start.last_seq

    async def _go_on(self, after: int) -> int:
        """Send what is there, or a sign of life; wait for more; return the last number sent."""
        seen = await self._patiently(lambda: read_events(self._scope(), after=after, limit=BATCH_EVENTS))
        if seen:
            await self._say({"type": "events", "events": _rendered(seen)})
            after = seen[-1].event.seq or after
        elif time.monotonic() - self._said_at >= HEARTBEAT_S:
            await self._say({"type": "alive", "seq": after})
        if len(seen) < BATCH_EVENTS:
            if seen:
                await asyncio.sleep(BATCH_S)
            await self._listener.wait(HEARTBEAT_S if self._listener.is_live else POLL_S)
        return after

    async def _load(self, load: Load) -> None:
        seen = await self._in_thread(lambda: read_events(self._counted_scope(), after=load.after, limit=BATCH_EVENTS))
        wanted = [one for one in seen if (one.event.seq or 0) <= load.until]
        await self._say({"type": "loaded", "after": load.after, "until": load.until, "events": _rendered(wanted)})

    def _scope(self) -> Scope:
        """Return the scope, admitted anew when the last admission is some seconds old. Runs in a thread."""
        if self._admitted is None or time.monotonic() - self._admitted_at > ADMITTED_S:
            self._admitted = admit(self._shown, now=timezone.now())
            self._admitted_at = time.monotonic()
        return self._admitted

    def _counted_scope(self) -> Scope:
        """Return the scope for what the client asked for, which counts as a request. Runs in a thread."""
        scope = self._scope()
        count_request(scope, now=timezone.now())
        return scope

    async def _guarded(self, work: Coroutine[Any, Any, Answer]) -> Answer | None:
        """Run work; close with its code, and return None, when the caller may not watch or no database answers."""
        try:
            return await work
        except Unauthenticated:
            await self._end(UNAUTHENTICATED)
        except ScopeDenied:
            await self._end(DENIED)
        except QuotaSpent:
            await self._end(SPENT)
        except OperationalError as error:
            log.warning("database away, a socket is closed: %s", error)
            await self._end(FAILED)
        return None

    async def _patiently(self, read: Callable[[], Answer]) -> Answer:
        """Read; while the database is away, try again each second."""
        while True:
            try:
                return await self._in_thread(read)
            except OperationalError as error:
                log.warning("database away, a socket waits: %s", error)
                await asyncio.sleep(POLL_S)

    async def _in_thread(self, work: Callable[[], Answer]) -> Answer:
        answer: Answer = await database_sync_to_async(work, thread_sensitive=False, executor=_threads)()
        return answer

    async def _expect_start(self) -> None:
        await asyncio.sleep(START_WITHIN_S)
        if not self._is_started:
            await self._end(SILENT)

    async def _say(self, message: dict[str, Any]) -> None:
        self._said_at = time.monotonic()
        message["now"] = iso(timezone.now())
        await self.send(json.dumps(message, ensure_ascii=False, separators=(",", ":")))

    async def _end(self, code: int) -> None:
        if not self._is_closed:
            self._is_closed = True
            await self.close(code)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        """Forget a task; close the socket when it failed in a way nobody anticipated."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a socket failed", exc_info=error)
            self._spawn(self._end(FAILED))


def _rendered(seen: list[Seen]) -> list[dict[str, Any]]:
    return [rendered(one) for one in seen]
