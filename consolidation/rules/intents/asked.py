"""Asked: what a sentence asks of the memory."""

from dataclasses import dataclass
from enum import StrEnum


class Verb(StrEnum):
    """What is asked for. UNCLEAR: no rule understands it."""

    RETRIEVE = "retrieve"
    STORE = "store"
    UPDATE = "update"
    FORGET = "forget"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One wish.

    about: what is looked for, or to be forgotten or changed, as it was said. statement: what is to be believed from
    now on. explicit: the words say so ("remember that"); else it is a plain statement. everything: no single thing is
    named, but all of it. retracts: what is changed shall be forgotten, and not merely be over. method: which rule or model read it.
    """

    verb: Verb
    about: str = ""
    statement: str = ""
    explicit: bool = False
    everything: bool = False
    retracts: bool = False
    method: str = ""
