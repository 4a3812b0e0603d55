"""How a turn reads when it is searched: its line, its date, and the lines around it."""

from collections.abc import Sequence
from datetime import UTC, datetime

from memories.chinese import has_chinese

CONTEXT_BEFORE = 2
"""Lines before a turn in its context; one comes after. Source: design note on recall, section 2 (window)."""
CONTEXT_LINE_MAX_LENGTH = 2_000

STUB_MAX_LENGTH = 160
"""Characters: a sentence or two, by which what is archived can still be found and told apart."""


def stub(text: str) -> str:
    """Return the first words of a text, on one line: what the search engine keeps of an archived memory."""
    folded = " ".join(text.split())
    if len(folded) <= STUB_MAX_LENGTH:
        return folded
    kept = folded[: STUB_MAX_LENGTH - 1]
    whole_words = kept.rpartition(" ")[0]
    return f"{whole_words if len(whole_words) > STUB_MAX_LENGTH // 2 else kept}…"


def line(author: str, content: str) -> str:
    """Return a turn as one line: who said it, then what, line breaks folded to spaces."""
    return f"{author}: {' '.join(content.split())}"


def context(before: Sequence[str], own: str, after: Sequence[str]) -> str:
    """Return the lines around a turn, one a line: the last two before, its own, the first after, each cut."""
    chosen = [*before[-CONTEXT_BEFORE:], own, *after[:1]]
    return "\n".join(text[:CONTEXT_LINE_MAX_LENGTH] for text in chosen)


def dated(text: str, occurred_at: datetime) -> str:
    """Return text behind its date as people write it, so that a question can name the date."""
    return f"{stamp(text, occurred_at)} {text}"


def stamp(text: str, occurred_at: datetime) -> str:
    """Return the date of a text, in UTC: `[1:56 pm on 8 May, 2023]`, or `[2023年5月8日 13:56]` for Chinese text."""
    moment = occurred_at.astimezone(UTC)
    if has_chinese(text):
        return f"[{moment.year}年{moment.month}月{moment.day}日 {moment:%H:%M}]"
    hour = moment.hour % 12 or 12
    half = "am" if moment.hour < 12 else "pm"
    return f"[{hour}:{moment:%M} {half} on {moment.day} {moment:%B}, {moment.year}]"
