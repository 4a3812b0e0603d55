"""Reading evidence ids, some of which the set's authors mistyped.

Repaired, because only one reading is possible: several ids in one string ("D8:6; D9:17", "D1:18, D2:5",
"D9:1 D4:4"), a stray colon ("D:11:26"), leading zeros ("D30:05"). Dropped: what names no turn of the conversation.
"""

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass

_ID = re.compile(r"D:?(\d+):(\d+)")
_SEPARATORS = re.compile(r"[\s;,]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The turns that answer a question, in the order given, each once.

    repaired: entries that had to be read differently from how they were written. dropped: entries, or ids
    within one, that name no turn.
    """

    turns: tuple[str, ...]
    repaired: int = 0
    dropped: int = 0


def read_evidence(entries: Iterable[str], known: Set[str]) -> Evidence:
    """Return the turns that the entries name; known: the ids of all turns of the conversation."""
    turns: list[str] = []
    repaired = dropped = 0
    for entry in entries:
        ids = _ids_in(entry)
        there = [turn for turn in ids if turn in known]
        dropped += len(ids) - len(there) if ids else 1
        repaired += bool(there) and there != [entry]
        turns.extend(there)
    return Evidence(turns=tuple(dict.fromkeys(turns)), repaired=repaired, dropped=dropped)


def _ids_in(entry: str) -> list[str]:
    """Return the ids in an entry as the conversation writes them; none if it holds anything else besides."""
    rest = _ID.sub("", entry)
    if not _SEPARATORS.fullmatch(rest):
        return []
    return [f"D{int(session)}:{int(turn)}" for session, turn in _ID.findall(entry)]
