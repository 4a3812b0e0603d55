"""Listen for nudges that a tenant has newly sealed events. A nudge says only: look now."""

import asyncio
import logging
from typing import Any
from uuid import UUID

from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from tenants.services.announce import group_of

log = logging.getLogger(__name__)

AGAIN_S = 1.0
JOIN_AGAIN_S = 3_600.0
"""Shorter than the layer's group_expiry, after which a silent member of a group is forgotten."""


class Listener:
    """One socket's ear at the channel layer, which may be away at any time.

    is_live: whether nudges arrive now; if not, whoever waits must look by itself.
    """

    def __init__(self, tenant_id: UUID) -> None:
        self._group = group_of(tenant_id)
        self._nudged = asyncio.Event()
        self.is_live = False

    async def run(self) -> None:
        """Take nudges until cancelled; join again whenever the layer has been away."""
        layer = get_channel_layer()
        while layer is not None:
            try:
                channel = await layer.new_channel()
                try:
                    await self._take(layer, channel)
                finally:
                    self.is_live = False
                    self._nudged.set()  # whoever waits for a nudge in vain must look
                    await self._leave(layer, channel)
            except (RedisError, OSError) as error:
                log.warning("channel layer away, sockets poll: %s", type(error).__name__)
                await asyncio.sleep(AGAIN_S)

    async def wait(self, longest_s: float) -> None:
        """Return at the next nudge, or after so many seconds; nudges since the last wait count."""
        try:
            async with asyncio.timeout(longest_s):
                await self._nudged.wait()
        except TimeoutError:
            return
        self._nudged.clear()

    async def _take(self, layer: Any, channel: str) -> None:
        while True:
            await layer.group_add(self._group, channel)
            self.is_live = True
            self._nudged.set()  # what was announced before has been missed
            try:
                async with asyncio.timeout(JOIN_AGAIN_S):
                    while True:
                        await layer.receive(channel)
                        self._nudged.set()
            except TimeoutError:
                continue

    async def _leave(self, layer: Any, channel: str) -> None:
        try:
            async with asyncio.timeout(AGAIN_S):
                await layer.group_discard(self._group, channel)
        except (RedisError, OSError):
            return
