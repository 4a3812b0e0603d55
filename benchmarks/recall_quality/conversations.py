"""Conversations of any set: who said what when, and questions with the turns that answer them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One line of a conversation; id as the set writes it, such as D1:3. speaker: empty where the set names none."""

    id: str
    session_id: str
    speaker: str
    text: str
    occurred_at: datetime
    role: str = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question with the turns that answer it, at least one; index is its place in the conversation's list."""

    index: int
    text: str
    category: str
    gold: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """One conversation, told as one user of a tenant. ended_at: a day after its last turn or session."""

    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]
    ended_at: datetime
    tenant: str
    user_id: str

    @cached_property
    def twins(self) -> dict[str, str]:
        """Each turn's id -> that of the first turn that says the same, letter by letter: they are found as one."""
        first: dict[tuple[str, str], str] = {}
        return {turn.id: first.setdefault((turn.speaker, turn.text), turn.id) for turn in self.turns}


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSet:
    """The conversations of a file, and what had to be done to read its evidence.

    categories: of its questions, in the order they are reported in.
    repaired, dropped: evidence entries, see evidence.py. not_user: ids of evidence that an assistant or a tool said,
    which is archived and no memory. unanswerable: questions left out, since no turn answers them. sha256: of the
    file.
    """

    name: str
    conversations: tuple[Conversation, ...]
    categories: tuple[str, ...]
    repaired: int = 0
    dropped: int = 0
    not_user: int = 0
    unanswerable: int = 0
    sha256: str


def tenants_of(conversations: Sequence[Conversation]) -> list[str]:
    """Return the tenants' slugs, each once."""
    return list(dict.fromkeys(conversation.tenant for conversation in conversations))


def slug(name: str) -> str:
    """Return a name as a tenant's slug may be written."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "tenant"
