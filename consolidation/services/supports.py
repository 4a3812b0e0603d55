"""Supports: what in a turn still says what a fact says."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from consolidation.rules.extract import extract
from consolidation.rules.judge import judge
from consolidation.rules.judgement import Nearby, Ruling
from consolidation.services.held import CLAIM, claim_of, held_of
from consolidation.services.select import answers
from memories.models import Memory, Source
from memories.trust import Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """One statement of a turn that says the same. same_text: in the same words, as the memory has them."""

    turn_id: UUID
    text: str
    predicate: str
    claim: Mapping[str, str]
    trust: Trust
    said_at: datetime
    same_text: bool


def supports(memory: Memory, edge: Source) -> Iterator[Support]:
    """Yield what a turn says of the same; nothing for what instructs, and for what is no turn.

    What a model found and the rules do not find is none: nobody can tell then without asking.
    """
    turn = edge.turn
    if turn is None:
        return
    who = str(memory.metadata[CLAIM].get("who", ""))
    extracted = extract(turn.content, said_at=turn.occurred_at, who=who, answers=answers(turn))
    if extracted.suspect:
        return
    held = held_of(memory, None, (edge.source_type,), who=who)
    for candidate in extracted.candidates:
        judged = judge(
            candidate,
            [held],
            near=[Nearby(held=held, cosine=1.0)],  # its words decide; it was near when it was counted
            said_at=turn.occurred_at,
            trust=Trust(turn.trust),
        )
        if judged.ruling is Ruling.REPEAT or (judged.ruling is Ruling.DROP and judged.why == "known"):
            yield Support(
                turn_id=turn.id,
                text=candidate.text,
                predicate=candidate.predicate,
                claim=claim_of(candidate, who),
                trust=Trust(turn.trust),
                said_at=turn.occurred_at,
                same_text=judged.why == "same_text" or candidate.text.casefold() == memory.text.casefold(),
            )
