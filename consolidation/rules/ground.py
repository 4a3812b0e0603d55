"""Ground: what a model claims to have read is kept only where the turns have its words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import regex

from consolidation.rules.masks import MASK, masked
from memories.instructions import instructs

NAME = regex.compile(r"[a-z][a-z0-9_ ]{0,59}")
MODEL_ALONE = 0.85
"""How sure a thing is at most that a model found and no rule. Source: seed S4, 2.3 (85% of what models extract holds)."""


TURNS_MAX = 20
"""On which one item of an answer may rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A turn that a model was shown. by_user: the person said it.

    fresh: it is read in this pass; what is not was shown as evidence for playbooks alone.
    """

    content: str
    said_at: datetime
    by_user: bool = True
    fresh: bool = True


Lines = Mapping[str, Line]
"""By the id under which each was shown."""


def named(item: Mapping[str, Any], lines: Lines, *, fresh: bool) -> Sequence[str]:
    """Return the turns that an item of an answer rests on; none, where one is not there, or one of them instructs.

    fresh: each must be read in this pass. Otherwise one of them must be.
    """
    ids = item.get("supporting_episode_ids")
    if (
        not isinstance(ids, list)
        or not 0 < len(ids) <= TURNS_MAX
        or not all(isinstance(one, str) and one in lines for one in ids)
    ):
        return ()
    wanted = [lines[one].fresh and lines[one].by_user for one in ids]
    if not (all if fresh else any)(wanted) or instructs("\n".join(lines[one].content for one in ids)):
        return ()
    return list(dict.fromkeys(ids))


def quoted(quote: object, content: str) -> tuple[int, int] | None:
    """Return where a turn has the words of a quote as its speaker's own; None, where it has not."""
    words = quote.strip() if isinstance(quote, str) else ""
    start = content.find(words) if words else -1
    if start < 0 or MASK in masked(content)[start : start + len(words)]:
        return None
    return start, start + len(words)


_UNWRITABLE = regex.compile(r"[\p{Cc}\p{Cs}]")
"""Control characters and halves of characters."""


def words_in(value: object, *, longest: int) -> str:
    """Return a text of an answer with single spaces; empty for what is none, is too long, or cannot be stored."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return text if len(text) <= longest and not _UNWRITABLE.search(text) else ""


def share_in(value: object) -> float | None:
    """Return a number of [0, 1] of an answer; None for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        return None
    return float(value)


_NAME_OR_NUMBER = regex.compile(r"\d[\d.,:/-]*\d|\d|(?<=[\p{L}\p{N}][ ,])[A-Z][\w-]+")


def says_no_more(text: str, content: str) -> bool:
    """Say whether every number and name of a text stands in the turn."""
    said = content.casefold()
    return all(word.casefold().strip(".,") in said for word in _NAME_OR_NUMBER.findall(text))


def stands(name: str, content: str) -> bool:
    """Say whether a name stands in a turn, as a word of its own where it is of letters."""
    edges = [
        r"(?<![\p{Latin}\p{N}])" if name[:1].isascii() else "",
        r"(?![\p{Latin}\p{N}])" if name[-1:].isascii() else "",
    ]
    return bool(name) and bool(
        regex.search(f"{edges[0]}{regex.escape(name, special_only=True)}{edges[1]}", content, regex.I)
    )
