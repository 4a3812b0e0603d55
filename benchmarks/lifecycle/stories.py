"""The set as values: who says what, what is learned of it, and what is asked."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from benchmarks.lifecycle.small_talk import DATA, small_talk

LANGUAGES = ("en", "zh")
STAGES = (1, 2, 3)
TALK_A_USER = 120
TALK_A_SESSION = 12
SEED = 20_261_130

SURFACES = ("episode", "fact", "playbook", "catalog", "current", "superseded", "as_of", "valid_at")
"""What is answered; `unanswerable` and `expired` are not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One turn; id: empty where no question asks for it."""

    id: str
    role: str
    text: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One session of one user."""

    user: str
    session: str
    turns: tuple[Said, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A fact, written in its stage. body: of `memories/`, without user and predecessor."""

    id: str
    user: str
    stage: int
    body: Mapping[str, Any]
    supersedes: str | None
    contradiction: str | None

    @property
    def valid_from(self) -> datetime | None:
        """When it began to be true; None = when it was written."""
        return datetime.fromisoformat(self.body["valid_from"]) if "valid_from" in self.body else None

    @property
    def valid_to(self) -> datetime | None:
        """When it ceased to be true, by its own account."""
        return datetime.fromisoformat(self.body["valid_to"]) if "valid_to" in self.body else None

    @property
    def lives_days(self) -> int | None:
        """How many days after its writing it is recalled; None = always."""
        days = {"preference": 365, "progress": 7}.get(self.body.get("category", ""))
        lives: int | None = self.body.get("ttl_days", days)
        return lives


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One question. as_of: a stage, meaning the moment at its end. valid_in_days: from now.

    gold: ids of what answers it, any surface. absent: what must not be in the answer.
    """

    language: str
    surface: str
    user: str
    text: str
    gold: tuple[str, ...]
    absent: tuple[str, ...]
    include_superseded: bool
    as_of: int | None
    valid_at: datetime | None
    valid_in_days: int | None


@dataclass(frozen=True, kw_only=True)
class Stories:
    """The whole set. playbooks, catalog: bodies of the API with an `id` of ours."""

    told: Sequence[Told]
    facts: Sequence[Fact]
    playbooks: Sequence[Mapping[str, Any]]
    catalog: Sequence[Mapping[str, Any]]
    asks: Sequence[Ask]

    @cached_property
    def fact(self) -> Mapping[str, Fact]:
        """The facts by their ids."""
        return {fact.id: fact for fact in self.facts}

    @cached_property
    def successor(self) -> Mapping[str, Fact]:
        """The fact that superseded a fact, by the superseded one's id."""
        return {fact.supersedes: fact for fact in self.facts if fact.supersedes is not None}


def read_stories() -> Stories:
    """Return both languages' stories with their small talk."""
    parts = [json.loads((DATA / f"{language}.json").read_text(encoding="utf-8")) for language in LANGUAGES]
    return Stories(
        told=[told for part in parts for told in [*map(_told, part["sessions"]), *_talk(part)]],
        facts=[_fact(fact) for part in parts for fact in part["facts"]],
        playbooks=[playbook for part in parts for playbook in part["playbooks"]],
        catalog=[document for part in parts for document in part["catalog"]],
        asks=[_ask(part["language"], asked) for part in parts for asked in part["questions"]],
    )


def _told(session: Mapping[str, Any]) -> Told:
    start = datetime.fromisoformat(session["at"])
    return Told(
        user=session["user"],
        session=session["id"],
        turns=tuple(
            Said(
                id="" if mark == "a" else mark,
                role="assistant" if mark == "a" else "user",
                text=text,
                occurred_at=start + number * timedelta(minutes=2),
            )
            for number, (mark, text) in enumerate(session["turns"])
        ),
    )


def _talk(part: Mapping[str, Any]) -> list[Told]:
    """Return sessions of small talk for each user of a language, spread over a year."""
    users = list(dict.fromkeys(session["user"] for session in part["sessions"]))
    sentences = small_talk(part["language"], TALK_A_USER * len(users), seed=SEED)
    told = []
    for place, user in enumerate(users):
        own = sentences[place :: len(users)]
        for number in range(0, len(own), TALK_A_SESSION):
            start = datetime.fromisoformat("2024-04-02T18:00:00+00:00") + timedelta(days=3 * number + place)
            turns = [
                Said(id="", role="user", text=text, occurred_at=start + minute * timedelta(minutes=3))
                for minute, text in enumerate(own[number : number + TALK_A_SESSION])
            ]
            told.append(Told(user=user, session=f"talk-{number // TALK_A_SESSION}", turns=tuple(turns)))
    return told


def _fact(written: Mapping[str, Any]) -> Fact:
    apart = ("id", "user", "stage", "supersedes", "contradiction")
    return Fact(
        id=written["id"],
        user=written["user"],
        stage=written["stage"],
        body={name: value for name, value in written.items() if name not in apart},
        supersedes=written.get("supersedes"),
        contradiction=written.get("contradiction"),
    )


def _ask(language: str, asked: Mapping[str, Any]) -> Ask:
    return Ask(
        language=language,
        surface=asked["surface"],
        user=asked["user"],
        text=asked["ask"],
        gold=tuple(asked["gold"]),
        absent=tuple(asked.get("absent", ())),
        include_superseded=asked.get("include_superseded", False),
        as_of=asked.get("as_of"),
        valid_at=datetime.fromisoformat(asked["valid_at"]) if "valid_at" in asked else None,
        valid_in_days=asked.get("valid_in_days"),
    )
