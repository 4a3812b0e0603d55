"""Summary: the text that stands for several episodes, with the words of each that it rests on."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from consolidation.rules.central import central

METHOD = "central-1"
SENTENCES_MAX = 8
SHARE = 3
"""One sentence of so many episodes, but two at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One turn as a summary reads it."""

    author: str
    content: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """spans: (turn by number, start, end) of every turn, of what stands in the text and of the other turns whole."""

    text: str
    spans: tuple[tuple[int, int, int], ...]
    method: str


def extractive(lines: Sequence[Line]) -> Summary | None:
    """Return the central sentences of turns, each behind its date and who said it; None where nothing is told."""
    at_most = min(SENTENCES_MAX, max(2, math.ceil(len(lines) / SHARE)))
    parts = central([line.content for line in lines], at_most=at_most)
    if not parts:
        return None
    told: dict[tuple[str, str], list[str]] = {}
    for part in parts:
        line = lines[part.turn]
        day = f"{line.occurred_at.astimezone(UTC):%Y-%m-%d}"
        told.setdefault((day, line.author), []).append(part.text)
    text = "\n".join(f"{day} {author}: {' '.join(said)}" for (day, author), said in told.items())
    shown = {part.turn for part in parts}
    spans = [
        *((part.turn, part.start, part.end) for part in parts),
        *((index, 0, len(line.content)) for index, line in enumerate(lines) if index not in shown and line.content),
    ]
    return Summary(text=text, spans=tuple(sorted(spans)), method=METHOD)
