"""Shown: what a model is given to read: turns with what had been said before them, and what is known already."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from backends.search import names
from consolidation.models import Run
from consolidation.rules.ground import Line
from consolidation.rules.ground_playbooks import Known
from consolidation.rules.steps import overlap, words_of
from consolidation.services.in_play import LOOK_BACK_TURNS, PLAYBOOKS_MAX, reverted_turns
from consolidation.services.select import Episode
from memories.models import Memory, Procedure, Turn
from memories.models.memory import Status
from memories.roles import Role

FACTS_MAX = 50
PLAYBOOKS_SHOWN = 20
TURN_MAX_CHARACTERS = 4_000
EVIDENCE_MAX_CHARACTERS, EVIDENCE_TURN_MAX_CHARACTERS = 40_000, 2_000
"""Of all that had been said before the turns of a question, and of one of these."""
EVIDENCE = "evidence_for_playbooks_only"
_SAID_BY = {Role.USER: "user", Role.ASSISTANT: "assistant", Role.TOOL: "tool"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a model is given. asked: as JSON. lines, turns: each turn, and its id in the archive, by its name there.

    known, playbooks: known playbooks by ref, and the memories they are.
    """

    asked: str
    lines: dict[str, Line]
    turns: dict[str, UUID]
    known: dict[str, Known]
    playbooks: dict[str, UUID]


def shown(run: Run, episodes: Sequence[Episode]) -> Shown:
    """Return what a model is given to read of some episodes. The run's scope is open."""
    before = _before(episodes)
    lines: dict[str, Line] = {}
    turns: dict[str, UUID] = {}
    asked: list[dict[str, Any]] = []
    left = EVIDENCE_MAX_CHARACTERS
    for number, episode in enumerate(episodes, start=1):
        heard = []
        for turn in before.get(episode.turn_id, ()):
            name, content = f"t{len(turns) - len(asked) + 1}", turn.content[: min(left, EVIDENCE_TURN_MAX_CHARACTERS)]
            left -= len(content)
            if not content:
                break
            by_user = turn.role == Role.USER
            lines[name] = Line(content=content, said_at=turn.occurred_at, by_user=by_user, fresh=False)
            turns[name] = turn.id
            heard.append({"id": name, "by": _SAID_BY.get(Role(turn.role), "tool"), "said": content})
        content = episode.content[:TURN_MAX_CHARACTERS]
        lines[f"e{number}"] = Line(content=content, said_at=episode.occurred_at)
        turns[f"e{number}"] = episode.turn_id
        told = {"id": f"e{number}", "said_at": episode.occurred_at.isoformat(), "turn": content}
        asked.append({**({EVIDENCE: heard} if heard else {}), **told})
    playbooks = {f"p{number}": one for number, one in enumerate(_playbooks(run, lines), start=1)}
    question = {
        "episodes": asked,
        "known_facts": [{"ref": f"f{number}", "text": text} for number, text in enumerate(_facts(run), start=1)],
        "known_playbooks": [
            {"ref": ref, "trigger": one.trigger, "steps": one.steps} for ref, one in playbooks.items()
        ],
    }
    return Shown(
        asked=json.dumps(question, ensure_ascii=False),
        lines=lines,
        turns=turns,
        known={ref: Known(trigger=one.trigger, steps=tuple(one.steps)) for ref, one in playbooks.items()},
        playbooks={ref: one.memory_id for ref, one in playbooks.items()},
    )


def _before(episodes: Sequence[Episode]) -> dict[UUID, list[Turn]]:
    """Return the turns before each episode that no earlier one of them was told with, oldest first.

    Turns of which all that came was taken back are left out.
    """
    wanted = Q(pk__in=[])
    for episode in episodes:
        start = episode.position - LOOK_BACK_TURNS
        wanted |= Q(session_id=episode.session_id, position__gte=start, position__lt=episode.position)
    rows = Turn.objects.filter(wanted).exclude(id__in=reverted_turns())
    rows = rows.exclude(id__in=[episode.turn_id for episode in episodes])
    found: dict[UUID, list[Turn]] = {}
    for turn in rows.order_by("session_id", "position"):
        later = [one for one in episodes if one.session_id == turn.session_id and one.position > turn.position]
        found.setdefault(min(later, key=lambda one: one.position).turn_id, []).append(turn)
    return found


def _facts(run: Run) -> list[str]:
    rows = Memory.objects.filter(
        subject_id=run.subject_id,
        compartments=run.compartments,
        memory_type=names.SEMANTIC,
        status=Status.ACTIVE,
        valid_to__isnull=True,
    )
    return list(rows.order_by("-id").values_list("text", flat=True)[:FACTS_MAX])


def known_playbooks(run: Run) -> "QuerySet[Procedure]":
    """Return the playbooks that a run's user may follow: the user's own, and those that all share."""
    rows = Memory.objects.filter(
        Q(subject_id=run.subject_id) | Q(subject_id__isnull=True),
        memory_type=names.PROCEDURAL,
        status=Status.ACTIVE,
        valid_to__isnull=True,
        compartments__in=([], run.compartments),
    )
    newest = list(rows.order_by("-id").values_list("id", flat=True)[:PLAYBOOKS_MAX])
    return Procedure.objects.filter(memory_id__in=newest)


def _playbooks(run: Run, lines: dict[str, Line]) -> list[Procedure]:
    """Return those that the turns speak of most."""
    said = words_of("\n".join(line.content for line in lines.values()))
    known = sorted(known_playbooks(run), key=lambda one: str(one.memory_id))
    of_each = [(overlap(words_of(" ".join([one.trigger, *one.steps])), said), one) for one in known]
    return [one for _, one in sorted(of_each, key=lambda pair: pair[0], reverse=True)][:PLAYBOOKS_SHOWN]
