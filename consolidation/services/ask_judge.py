"""Ask the model as a judge: how what rules take for new stands to what is known; one call a pass."""

import json
import logging
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from backends.errors import BackendError
from backends.llms.answers import Unreadable, asked_twice
from backends.llms.base import LLM, Completion
from consolidation.models import Run
from consolidation.prompts import JUDGE, prompt
from consolidation.rules.opinion import SCHEMA, Judged, Opinion, Opinions, Verdict, verdicts_of
from consolidation.services.ask_model import note_run_asked
from consolidation.services.doubts import Doubt
from consolidation.services.runs import scope_of
from memories.services.note_asked import method_of
from tenants.services.open_scope import open_scope
from tenants.services.policy_of import policy_of

log = logging.getLogger(__name__)


def ask_judge(run: Run, doubts: Sequence[Doubt], llm: LLM | None, *, now: datetime) -> Opinions:
    """Return what the model says of each doubt; nothing, where there is none or the tenant's policy forbids it.

    A verdict on what was not shown, or about a fact that was not shown with it, is none. A model that is away or
    keeps talking nonsense leaves the rules alone. No scope may be open.
    """
    if llm is None or not doubts:
        return {}
    with open_scope(scope_of(run)):
        if not policy_of()["consolidation.external_model"]:
            return {}
    shown, refs = _shown(doubts)
    answers: list[Completion] = []
    code, verdicts = "", dict[str, Verdict]()
    try:
        verdicts = asked_twice(llm, prompt(JUDGE), shown, schema=SCHEMA, read=verdicts_of, answers=answers)
    except Unreadable:
        code = "unreadable"
    except BackendError as error:
        code = type(error).__name__.lower()
    if code:
        log.warning("consolidation %s is judged by rules alone: %s", run.id, code)
    note_run_asked(
        run,
        answers,
        method=method_of(llm, JUDGE),
        provider=llm.provider,
        code=code,
        turn_ids=list(dict.fromkeys(doubt.episode.turn_id for doubt in doubts)),
        now=now,
    )
    found = {}
    for number, doubt in enumerate(doubts):
        verdict = verdicts.get(f"c{number + 1}")
        if verdict is not None and verdict.ref in refs[number] and verdict.opinion is not Opinion.UNRELATED:
            found[doubt.key] = Judged(opinion=verdict.opinion, met_id=refs[number][verdict.ref])
    return found


def _shown(doubts: Sequence[Doubt]) -> tuple[str, list[dict[str, UUID]]]:
    """Return the question as JSON, and of each doubt the facts it was shown with, by ref."""
    refs: list[dict[str, UUID]] = []
    names: dict[UUID, str] = {}
    pairs = []
    for number, doubt in enumerate(doubts, start=1):
        known = {names.setdefault(one.id, f"k{len(names) + 1}"): one for one in doubt.near}
        refs.append({ref: one.id for ref, one in known.items()})
        candidate, episode = doubt.candidate, doubt.episode
        pairs.append(
            {
                "id": f"c{number}",
                "statement": candidate.text,
                "said": episode.content[candidate.start : candidate.end],
                "said_at": episode.occurred_at.isoformat(),
                "known": [
                    {"ref": ref, "statement": one.text, "since": one.valid_from.date().isoformat()}
                    for ref, one in known.items()
                ],
            }
        )
    return json.dumps({"pairs": pairs}, ensure_ascii=False), refs
