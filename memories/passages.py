"""Passages: where a long text is cut, so that each part can be found by what it means.

An embedding says what the beginning of a text is about, and nothing of what comes later.
"""

import unicodedata

import regex

LONG = 1_000
"""Characters. What is no longer has no passages: one embedding reads all of it."""
PASSAGE_MAX_LENGTH = 900
"""Characters of a passage; with date, author or title before it, it still fits the embedder's 1,000."""
WIDE = 1.5
"""What a Chinese, Japanese or Korean character weighs: it is .68 tokens, others a quarter, and 512 are read."""

Span = tuple[int, int]
"""Start and end in code points, half-open."""

_BORDERS = (
    regex.compile(r"\n\s*\n\s*"),
    regex.compile(r"\n\s*|[.!?…]+[\"'”’)\]]*\s+|[。！？；…]+[”’」』）]*\s*"),
    regex.compile(r"\s+|[，、：,;:]+"),
)
"""The better ones first: between paragraphs, between sentences, between words. A border is where a match ends."""
_LEAST = 0.5
"""A passage is filled so far before a border will do, unless there is none behind it."""
_REST = 1.5
"""What is no longer than so many passages is cut about in the middle, so that no scrap is left over."""
_MIDDLE = 0.65


def passages(text: str) -> list[Span]:
    """Return the spans that cover a long text without gap or overlap; none of a text that is not long."""
    if len(text) <= LONG:
        return []
    weighed = _weighed(text)
    found: list[Span] = []
    start = 0
    while (rest := weighed[-1] - weighed[start]) > PASSAGE_MAX_LENGTH:
        most = rest * _MIDDLE if rest <= PASSAGE_MAX_LENGTH * _REST else float(PASSAGE_MAX_LENGTH)
        end = _cut(text, start, least=_reached(weighed, start, most * _LEAST), most=_reached(weighed, start, most))
        found.append((start, end))
        start = end
    return [*found, (start, len(text))]


def _weighed(text: str) -> list[float]:
    """Return what each beginning of a text weighs, the empty one first."""
    weighed = [0.0]
    for character in text:
        wide = unicodedata.east_asian_width(character) in "WF"
        weighed.append(weighed[-1] + (WIDE if wide else 1.0))
    return weighed


def _reached(weighed: list[float], start: int, most: float) -> int:
    """Return the end of the longest part from start that weighs no more; of one character at least."""
    low, high = start + 1, len(weighed) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if weighed[middle] - weighed[start] <= most else (low, middle - 1)
    return low


def _cut(text: str, start: int, *, least: int, most: int) -> int:
    """Return where to cut between two places: at the last of the best borders, else where no character is split."""
    for border in _BORDERS:
        ends = [match.end() for match in border.finditer(text, least, most) if match.end() > least]
        if ends:
            return ends[-1]
    end = most
    while end > least and _belongs_to_the_one_before(text, end):
        end -= 1
    return end if end > least else max(most, start + 1)


def _belongs_to_the_one_before(text: str, place: int) -> bool:
    """Say whether a mark, a joiner or what is joined stands here."""
    if place >= len(text):
        return False
    return (
        unicodedata.category(text[place]) in {"Mn", "Me", "Mc", "Cf", "Sk"}
        or unicodedata.category(text[place - 1]) == "Cf"
    )
