"""Ask the model: one call a pass, in no transaction; what it says is kept only where it is grounded."""

import json
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import F

from backends.errors import BackendError
from backends.llms.answers import Unreadable, asked_twice
from backends.llms.base import LLM, Completion
from backends.search import names
from consolidation.models import Run
from consolidation.prompts import EXTRACT, READ_DAY, prompt
from consolidation.rules.candidate import Candidate
from consolidation.rules.extract import NAME
from consolidation.rules.ground import SCHEMA, facts_of, grounded
from consolidation.services.runs import scope_of
from consolidation.services.select import Episode
from memories.models import Memory
from memories.models.memory import Status
from memories.services.note_asked import method_of, note_asked
from tenants.models import Subject
from tenants.services.open_scope import open_scope
from tenants.services.policy_of import policy_of

log = logging.getLogger(__name__)

KNOWN_MAX = 50
TURN_MAX_CHARACTERS = 4_000
EXTRACTOR_MAX_LENGTH = 64
Found = dict[UUID, list[Candidate]]


def extractor_of(llm: LLM | None, prompt: str = EXTRACT) -> str:
    """Return who extracts in a run, with versions: the rules, and the model with its prompt where there is one."""
    return f"{NAME}+{method_of(llm, prompt)}"[:EXTRACTOR_MAX_LENGTH] if llm is not None else NAME


def ask_model(
    run: Run,
    episodes: Sequence[Episode],
    llm: LLM | None,
    *,
    before: Mapping[UUID, str] | None = None,
    now: datetime,
) -> Found:
    """Return what the model found in each turn, by the turn's id; nothing, where the tenant's policy forbids it.

    1. A short scope: the policy, and what is believed already. 2. The call, and one more for an answer that cannot be
    read. 3. A short scope: tokens and the turns that were sent, as an event, for that is a disclosure.
    before: where a day is read once more, what the assistant had said before a turn, by the turn's id.
    A model that is away or keeps talking nonsense leaves the rules alone.
    """
    if llm is None or not episodes:
        return {}
    with open_scope(scope_of(run)):
        if not policy_of()["consolidation.external_model"]:
            return {}
        known = _known(run)
    turns = {f"e{index}": episode for index, episode in enumerate(episodes, start=1)}
    asked = json.dumps(
        {
            "episodes": [
                {
                    "id": name,
                    "said_at": episode.occurred_at.isoformat(),
                    "turn": episode.content[:TURN_MAX_CHARACTERS],
                    **_heard(episode, before),
                }
                for name, episode in turns.items()
            ],
            "known_facts": known,
        },
        ensure_ascii=False,
    )
    asked_with = EXTRACT if before is None else READ_DAY
    method, answers = method_of(llm, asked_with), list[Completion]()
    code, facts = "", []
    try:
        facts = asked_twice(llm, prompt(asked_with), asked, schema=SCHEMA, read=facts_of, answers=answers)
    except Unreadable:
        code = "unreadable"
    except BackendError as error:
        code = type(error).__name__.lower()
    if code:
        log.warning("consolidation %s goes on by rules alone: %s", run.id, code)
    _note(run, episodes, answers, method=method, provider=llm.provider, code=code, now=now)
    contents = {name: (episode.content, episode.occurred_at) for name, episode in turns.items()}
    found: Found = {}
    for name, candidate in grounded(facts, contents, rule=method):
        found.setdefault(turns[name].turn_id, []).append(candidate)
    return found


def _heard(episode: Episode, before: Mapping[UUID, str] | None) -> dict[str, str]:
    """Return what the turn answers, as the model is told."""
    said = (before or {}).get(episode.turn_id)
    return {"in_answer_to": said[:TURN_MAX_CHARACTERS]} if said is not None else {}


def _known(run: Run) -> list[str]:
    rows = Memory.objects.filter(
        subject_id=run.subject_id,
        compartments=run.compartments,
        memory_type=names.SEMANTIC,
        status=Status.ACTIVE,
        valid_to__isnull=True,
    )
    return list(rows.order_by("-id").values_list("text", flat=True)[:KNOWN_MAX])


def _note(
    run: Run,
    episodes: Sequence[Episode],
    answers: Sequence[Completion],
    *,
    method: str,
    provider: str,
    code: str,
    now: datetime,
) -> None:
    scope = scope_of(run)
    with open_scope(scope):
        Run.objects.filter(id=run.id).update(
            prompt_tokens=F("prompt_tokens") + sum(answer.prompt_tokens for answer in answers),
            completion_tokens=F("completion_tokens") + sum(answer.completion_tokens for answer in answers),
        )
        note_asked(
            scope,
            answers,
            method=method,
            provider=provider,
            code=code,
            object_ids=[run.id, *(episode.turn_id for episode in episodes)],
            subject=Subject.objects.filter(id=run.subject_id).first(),
            now=now,
        )
