"""Reading: what a model found in a batch of turns, grounded, turn by turn."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from consolidation.rules.answer import Answer
from consolidation.rules.candidate import Candidate
from consolidation.rules.ground import Lines
from consolidation.rules.ground_facts import facts_in
from consolidation.rules.ground_playbooks import Known, ToldPlaybook, playbooks_in, updates_in
from consolidation.rules.ground_world import ToldEntity, ToldRelation, entities_in, relations_in

FAULTS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a rule may raise on words that nobody thought of."""


@dataclass(slots=True, kw_only=True)
class Reading:
    """What was found in one turn."""

    candidates: list[Candidate] = field(default_factory=list)
    playbooks: list[ToldPlaybook] = field(default_factory=list)
    entities: list[ToldEntity] = field(default_factory=list)
    relations: list[ToldRelation] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Say whether nothing was found."""
        return not (self.candidates or self.playbooks or self.entities or self.relations)


def read(answer: Answer, lines: Lines, known: Mapping[str, Known], *, rule: str) -> dict[str, Reading]:
    """Return what of an answer is grounded, by the id of the turn it was found in."""
    found: dict[str, Reading] = {}
    for at, candidate in facts_in(answer.facts, lines, rule=rule):
        found.setdefault(at, Reading()).candidates.append(candidate)
    for at, told in (*updates_in(answer.updates, lines, known), *playbooks_in(answer.playbooks, lines)):
        found.setdefault(at, Reading()).playbooks.append(told)
    for at, entity in entities_in(answer.entities, lines):
        found.setdefault(at, Reading()).entities.append(entity)
    for at, relation in relations_in(answer.relations, lines):
        found.setdefault(at, Reading()).relations.append(relation)
    return found
