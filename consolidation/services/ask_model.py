"""Ask the model: one call a pass, in no transaction; what it says is kept only where it is grounded."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.conf import settings

from backends.errors import BackendError
from backends.llms.answers import Unreadable, asked_twice
from backends.llms.base import LLM, Completion
from consolidation.models import Run
from consolidation.prompts import EXTRACT, prompt
from consolidation.rules.answer import SCHEMA, Answer, answer_of
from consolidation.rules.extract import NAME
from consolidation.rules.opinion import Opinions
from consolidation.rules.reading import FAULTS, Reading, read
from consolidation.services.runs import scope_of
from consolidation.services.select import Episode
from consolidation.services.shown import shown
from memories.services.cost import cost_of
from memories.services.note_asked import method_of, note_asked
from tenants.models import Subject
from tenants.services.open_scope import open_scope
from tenants.services.policy_of import policy_of

log = logging.getLogger(__name__)

EXTRACTOR_MAX_LENGTH = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What a model found in some turns, by the turn's id.

    method: who found it. turns, playbooks: the turns and the known playbooks that it names, by the ids it was shown.
    opinions: what it said, when it was asked next, of what rules take for new.
    """

    method: str = ""
    by_turn: dict[UUID, Reading] = field(default_factory=dict)
    turns: dict[str, UUID] = field(default_factory=dict)
    playbooks: dict[str, UUID] = field(default_factory=dict)
    opinions: Opinions = field(default_factory=dict)

    def of(self, turn_id: UUID) -> Reading:
        """Return what it found in a turn."""
        return self.by_turn.get(turn_id) or Reading()


def extractor_of(llm: LLM | None, prompt: str = EXTRACT) -> str:
    """Return who extracts in a run, with versions: the rules, and the model with its prompt where there is one."""
    return f"{NAME}+{method_of(llm, prompt)}"[:EXTRACTOR_MAX_LENGTH] if llm is not None else NAME


def ask_model(
    run: Run, episodes: Sequence[Episode], llm: LLM | None, *, asked_with: str = EXTRACT, now: datetime
) -> Read:
    """Return what the model found in each turn; nothing, where the tenant's policy forbids it.

    1. A short scope: the policy, what had been said before, and what is known already. 2. The call, and one more for
    an answer that cannot be read. 3. A short scope: tokens and the turns that were sent, as an event, for that is a
    disclosure. asked_with: the prompt.
    A model that is away or keeps talking nonsense leaves the rules alone.
    """
    if llm is None or not episodes:
        return Read()
    with open_scope(scope_of(run)):
        if not policy_of()["consolidation.external_model"]:
            return Read()
        told = shown(run, episodes)
    method, answers = method_of(llm, asked_with), list[Completion]()
    code, answer = "", Answer()
    try:
        answer = asked_twice(llm, prompt(asked_with), told.asked, schema=SCHEMA, read=answer_of, answers=answers)
    except Unreadable:
        code = "unreadable"
    except BackendError as error:
        code = type(error).__name__.lower()
    if code:
        log.warning("consolidation %s goes on by rules alone: %s", run.id, code)
    note_run_asked(
        run, answers, method=method, provider=llm.provider, code=code, turn_ids=[*told.turns.values()], now=now
    )
    try:
        found = read(answer, told.lines, told.known, rule=method)
    except FAULTS:
        log.exception("consolidation %s: a rule failed on what a model found", run.id)
        found = {}
    return Read(
        method=method,
        by_turn={told.turns[name]: reading for name, reading in found.items()},
        turns=told.turns,
        playbooks=told.playbooks,
    )


def note_cost(run: Run, answers: Sequence[Completion]) -> None:
    """Add what answers took to their run; of which one's cost is unknown, so is the sum. The run's scope is open."""
    if not answers:
        return
    held = Run.objects.select_for_update(no_key=True).get(id=run.id)
    cost, asked_before = cost_of(answers), held.prompt_tokens + held.completion_tokens > 0
    known = cost is not None and not (asked_before and (held.cost is None or held.currency != settings.LLM_CURRENCY))
    Run.objects.filter(id=run.id).update(
        prompt_tokens=held.prompt_tokens + sum(answer.prompt_tokens for answer in answers),
        completion_tokens=held.completion_tokens + sum(answer.completion_tokens for answer in answers),
        cost=(held.cost or 0) + cost if known and cost is not None else None,
        currency=settings.LLM_CURRENCY if known else "",
    )


def note_run_asked(
    run: Run,
    answers: Sequence[Completion],
    *,
    method: str,
    provider: str,
    code: str,
    turn_ids: Sequence[UUID],
    now: datetime,
) -> None:
    """Count what a run's question to a model took, and note the disclosure of the turns it was about."""
    scope = scope_of(run)
    with open_scope(scope):
        note_cost(run, answers)
        note_asked(
            scope,
            answers,
            method=method,
            provider=provider,
            code=code,
            object_ids=[run.id, *turn_ids],
            subject=Subject.objects.filter(id=run.subject_id).first(),
            now=now,
        )
