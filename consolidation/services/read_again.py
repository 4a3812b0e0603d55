"""Read again: a day as a whole, for what is said in two turns and in none of them alone."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db import DatabaseError, DataError

from backends.llms.base import LLM
from backends.search import names
from consolidation.models import Decision, Run
from consolidation.models.run import Reason
from consolidation.prompts import READ_DAY
from consolidation.rules.day import Heard, Joined, joined
from consolidation.rules.reading import FAULTS
from consolidation.services.apply_again import Found, apply_again
from consolidation.services.ask_judge import ask_judge
from consolidation.services.ask_model import Read, ask_model, extractor_of
from consolidation.services.doubts import doubts
from consolidation.services.due import Due
from consolidation.services.near import Nearness, looking
from consolidation.services.near_of import near_of
from consolidation.services.nights import DAY
from consolidation.services.runs import RunLost, RunTaken, begin_run, end_run, renew, scope_of
from consolidation.services.select import Episode, episode_of
from memories.models import Memory, Turn
from memories.models.memory import Status
from memories.roles import Role
from tenants.models import Subject
from tenants.services.open_scope import open_scope

log = logging.getLogger(__name__)

BATCH = 50
"""Turns of one question to the model."""


def read_days(
    wanted: Sequence[tuple[Due, datetime]],
    *,
    clock: Callable[[], datetime],
    llm: LLM | None = None,
    until: float | None = None,
) -> bool:
    """Read each day once more, and say whether all were; until: in time.monotonic()."""
    extractor = extractor_of(llm, READ_DAY)
    for due, end in wanted:
        if until is not None and time.monotonic() > until:
            return False
        try:
            run = begin_run(due, extractor=extractor, now=clock())
        except (RunTaken, Subject.DoesNotExist):
            continue  # found again by the next look, unless it was erased
        try:
            with looking(run) as nearness:
                read_again(run, end, llm=llm, nearness=nearness, clock=clock)
        except RunLost:
            log.warning("consolidation %s: its lease passed to another run", run.id)
            continue
        except DatabaseError as error:
            log.warning("consolidation %s failed and is tried again: %s", run.id, type(error).__name__)
            end_run(run, error=type(error).__name__, now=clock())
            continue
        except Exception as error:  # whatever one user's day brings about, the others' are read
            log.exception("consolidation %s failed and is tried again", run.id)
            end_run(run, error=type(error).__name__, now=clock())
            continue
        end_run(run, now=clock())
    return True


def read_again(
    run: Run,
    end: datetime,
    *,
    llm: LLM | None = None,
    nearness: Nearness | None = None,
    clock: Callable[[], datetime],
) -> None:
    """Read what the run's user said in the day that ended then, conversation by conversation.

    A transaction an episode; what was found in it in this night already is passed over, so that a reading that was
    broken off goes on. Raises RunLost.
    """
    episodes, conversations = _day(run, end)
    for conversation in conversations:
        renew(run, now=clock())
        for one in _joined([_heard(turn, episodes) for turn in conversation]):
            episode = episodes.get(conversation[one.turn].id)
            if episode is not None:
                other = conversation[one.with_turn].id if one.with_turn is not None else None
                found = [Found(candidate=one.candidate, with_turn=other)]
                _applied(run, episode, found, nearness, clock=clock)
    if llm is None:
        return
    said = [episodes[turn.id] for conversation in conversations for turn in conversation if turn.id in episodes]
    for start in range(0, len(said), BATCH):
        renew(run, now=clock())
        part = said[start : start + BATCH]
        read = ask_model(run, part, llm, asked_with=READ_DAY, now=clock())
        sure = [(episode, read.of(episode.turn_id).candidates) for episode in part]
        read = replace(read, opinions=ask_judge(run, doubts(run, sure, nearness, now=clock()), llm, now=clock()))
        for episode in part:
            reading = read.of(episode.turn_id)
            if not reading.is_empty:
                again = [Found(candidate=one) for one in reading.candidates]
                _applied(run, episode, again, nearness, read=read, clock=clock)


def _applied(
    run: Run,
    episode: Episode,
    found: Sequence[Found],
    nearness: Nearness | None,
    *,
    read: Read | None = None,
    clock: Callable[[], datetime],
) -> None:
    """Write what was found in an episode; a fault of a rule costs that one episode this, and no other."""
    try:
        near = near_of(run, episode, [one.candidate for one in found], nearness, now=clock())
        apply_again(run, episode, found, read=read, near=near, now=clock())
    except (*FAULTS, DataError):
        log.exception("consolidation: a rule failed on episode %s, read again", episode.memory_id)


def _day(run: Run, end: datetime) -> tuple[dict[UUID, Episode], list[list[Turn]]]:
    """Return the day's episodes by turn, and all turns of their conversations in order."""
    with open_scope(scope_of(run)):
        rows = Memory.objects.filter(
            subject_id=run.subject_id,
            compartments=run.compartments,
            memory_type=names.EPISODIC,
            status=Status.ACTIVE,
            consolidated_by__isnull=False,
            recorded_at__gte=end - DAY,
            recorded_at__lt=end,
        ).select_related("turn", "session")
        read = Decision.objects.filter(run__reason=Reason.NIGHT, turn_id__in=rows.values("turn_id"))
        done = set(read.values_list("turn_id", flat=True))
        read_first = [episode_of(row) for row in rows.order_by("valid_from", "id")]
        episodes = {episode.turn_id: episode for episode in read_first}
        turns = Turn.objects.filter(
            session_id__in={episode.session_id for episode in episodes.values()},
            recorded_at__gte=end - DAY,
            recorded_at__lt=end,
        )
        conversations: dict[UUID, list[Turn]] = {}
        for turn in turns.order_by("session_id", "position"):
            conversations.setdefault(turn.session_id, []).append(turn)
    unread = {turn_id: episode for turn_id, episode in episodes.items() if turn_id not in done}
    return unread, list(conversations.values())


def _heard(turn: Turn, episodes: dict[UUID, Episode]) -> Heard:
    episode = episodes.get(turn.id)
    return Heard(
        by_user=turn.role == Role.USER,
        content=turn.content,
        said_at=turn.occurred_at,
        who=episode.who if episode is not None else "",
    )


def _joined(conversation: Sequence[Heard]) -> list[Joined]:
    """Return what turns state together; a fault of a rule costs the conversation this, and nothing else."""
    try:
        return joined(conversation)
    except FAULTS:
        log.exception("consolidation: a rule failed on a conversation")
        return []
