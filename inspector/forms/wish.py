"""What a client of the event stream may say: start, and load."""

import json
from dataclasses import dataclass
from typing import Any

MESSAGE_MAX_LENGTH = 1_000
SEQ_MAX = 2**63 - 1


class Unreadable(Exception):
    """The message is none that this stream knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Begin to stream after a number; None begins with the newest events."""

    last_seq: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """Send some of the events above `after` and up to `until`, again or belatedly."""

    after: int
    until: int


def wish_of(text: str | None) -> Start | Load:
    """Return what a message asks for; raise Unreadable, when it is not understood to the letter."""
    if text is None or len(text) > MESSAGE_MAX_LENGTH:
        raise Unreadable
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable from error
    match said:
        case {"type": "start", "last_seq": None, **rest} if not rest:
            return Start(last_seq=None)
        case {"type": "start", "last_seq": last_seq, **rest} if not rest and _is_seq(last_seq):
            return Start(last_seq=last_seq)
        case {"type": "load", "after": after, "until": until, **rest} if (
            not rest and _is_seq(after) and _is_seq(until)
        ):
            return Load(after=after, until=until)
    raise Unreadable


def _is_seq(value: Any) -> bool:
    return type(value) is int and 0 <= value <= SEQ_MAX
