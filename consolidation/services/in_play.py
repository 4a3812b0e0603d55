"""In play: which playbook a conversation was following when its outcome was told."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from backends.search import names
from consolidation.models import Receipt, Run
from consolidation.models.receipt import ReceiptKind
from consolidation.rules.outcomes import Outcome, outcome_of
from consolidation.rules.steps import overlap, steps_of, words_of
from consolidation.services.select import Episode
from memories.models import Memory, Procedure, Turn
from memories.models.memory import Status
from memories.models.procedure import TRIGGER_MAX_LENGTH
from memories.roles import Role

LOOK_BACK_TURNS = 8
ENOUGH, MARGIN = 0.4, 0.1
"""How many of a playbook's words must have been said, and how many more than of any other. Set by us."""
PLAYBOOKS_MAX = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What was tried and how it turned out.

    playbook: the one in play; None where none was. shared: it belongs to all users. steps: what the last answer told
    to do, and trigger: the complaint before it; from which a playbook can be made. answer, complaint: their turns.
    """

    outcome: Outcome
    playbook: Procedure | None = None
    shared: bool = False
    trigger: str = ""
    steps: tuple[str, ...] = ()
    answer: UUID | None = None
    complaint: UUID | None = None


def tried(run: Run, episode: Episode) -> Tried | None:
    """Return what a turn tells of something tried before; None, when it tells nothing. The run's scope is open."""
    outcome = outcome_of(episode.content)
    if outcome is None:
        return None
    before = list(
        Turn.objects.filter(
            session_id=episode.session_id,
            position__lt=episode.position,
            position__gte=episode.position - LOOK_BACK_TURNS,
        )
        .exclude(id__in=reverted_turns())
        .order_by("-position")
    )
    playbook = _in_play(run, episode, before)
    if playbook is not None:
        return Tried(outcome=outcome, playbook=playbook, shared=playbook.subject_id is None)
    return _told(outcome, before)


def reverted_turns() -> "QuerySet[Receipt, UUID | None]":
    """Return the turns of which somebody has taken back all that came of them: nothing more comes of these."""
    undone = Receipt.objects.filter(kind=ReceiptKind.REVERT, undone_at__isnull=True, root_id__isnull=False)
    return undone.values_list("root_id", flat=True)


def _in_play(run: Run, episode: Episode, before: list[Turn]) -> Procedure | None:
    """Return the playbook whose steps were answered or whose trigger was complained of, if it is clearly one."""
    known = Memory.objects.filter(
        memory_type=names.PROCEDURAL,
        status=Status.ACTIVE,
        valid_to__isnull=True,
        compartments__in=([], run.compartments),
    ).order_by("-id")[:PLAYBOOKS_MAX]
    playbooks = list(Procedure.objects.filter(memory_id__in=[memory.id for memory in known]))
    if not playbooks:
        return None
    answered = words_of(" ".join(turn.content for turn in before if turn.role == Role.ASSISTANT))
    complained = words_of(" ".join([episode.content, *(turn.content for turn in before if turn.role == Role.USER)]))
    scored = sorted(
        ((_score(playbook, answered, complained), str(playbook.id), playbook) for playbook in playbooks), reverse=True
    )
    best = scored[0]
    if best[0] < ENOUGH or (len(scored) > 1 and best[0] - scored[1][0] < MARGIN):
        return None
    return best[2]


def _score(playbook: Procedure, answered: frozenset[str], complained: frozenset[str]) -> float:
    """Return how much of a playbook was said, in [0, 1]: its trigger by the user, its steps by either."""
    trigger, steps = words_of(playbook.trigger), words_of(" ".join(playbook.steps))
    told = max(overlap(steps, answered) if len(answered) >= len(steps) else 0.0, _share(steps, complained))
    return (_share(trigger, complained) + told) / 2


def _share(wanted: frozenset[str], said: frozenset[str]) -> float:
    return len(wanted & said) / len(wanted) if wanted else 0.0


def _told(outcome: Outcome, before: list[Turn]) -> Tried:
    """Return the last answer that told steps, with the complaint that it answered."""
    for index, turn in enumerate(before):
        steps = steps_of(turn.content) if turn.role == Role.ASSISTANT else ()
        if steps:
            asked = next((earlier for earlier in before[index + 1 :] if earlier.role == Role.USER), None)
            if asked is None:
                break
            return Tried(
                outcome=outcome,
                trigger=" ".join(asked.content.split())[:TRIGGER_MAX_LENGTH],
                steps=steps,
                answer=turn.id,
                complaint=asked.id,
            )
    return Tried(outcome=outcome)
