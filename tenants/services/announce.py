"""Announce sealed events to who listens: a courtesy with ids only, since listeners read Postgres anyway."""

import asyncio
import logging
from collections.abc import Sequence
from uuid import UUID

from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from tenants.services.seal_events import Sealed

log = logging.getLogger(__name__)

WITHIN_S = 0.5
SEALED = "events.sealed"


def group_of(tenant_id: UUID) -> str:
    """Return the channel layer's group of a tenant's listeners."""
    return f"events.{tenant_id.hex}"


async def announce(sealed: Sequence[Sealed]) -> bool:
    """Tell listeners the last number of each tenant; say whether the channel layer took it all in time."""
    layer = get_channel_layer()
    if layer is None:
        return False
    try:
        async with asyncio.timeout(WITHIN_S):
            for done in sealed:
                if done.tenant_id is not None:
                    await layer.group_send(group_of(done.tenant_id), {"type": SEALED, "seq": done.last})
    except (RedisError, OSError) as error:  # a timeout is an OSError too
        log.warning("channel layer away, listeners poll: %s", type(error).__name__)
        return False
    return True
