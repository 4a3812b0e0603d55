"""Judged: what a saying means for what is known, and what a rule read for the sayings that are."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from consolidation.rules.candidate import SAYS, Candidate, Stance
from consolidation.rules.judgement import Held, Judgement, Ruling
from consolidation.rules.sayings.heard import heard
from consolidation.rules.sayings.links import linked, only_of_theme
from consolidation.rules.sayings.meets import said_before
from consolidation.rules.sayings.topic import corrects
from consolidation.rules.weight import if_newer


def meets_saying(candidate: Candidate, held: Sequence[Held], said_at: datetime) -> Judgement | None:
    """Meet what a saying repeats, or takes the place of, by the words that tell what it is about."""
    if candidate.predicate != SAYS:
        if candidate.stance not in {Stance.HOLDS, Stance.ENDED} or not candidate.around:
            return None
        new = heard(candidate.around, candidate.predicate, changes=candidate.changes)
        said = [one for one in held if one.predicate == SAYS]
        gone = linked(new, said)
        if not gone and candidate.changes and candidate.stance is Stance.HOLDS:
            gone = only_of_theme(candidate.predicate, said)
    else:
        known = said_before(candidate, held)
        if known is not None:
            return Judgement(ruling=Ruling.REPEAT, met=known, why="less_said")
        gone = linked(heard(candidate.value), [one for one in held if one.stance is Stance.HOLDS])
    if not gone:
        return None
    if candidate.denies or corrects(candidate.value):
        return Judgement(ruling=Ruling.DENY, met=gone[0], why="never_true")
    newer = replace(candidate, changes=True)
    first, *others = (if_newer(newer, one, said_at, Ruling.SUPERSEDE, "same_topic") for one in gone)
    also = tuple(one.met for one in others if one.ruling is Ruling.SUPERSEDE and one.met is not None)
    return replace(first, also=also if first.ruling is Ruling.SUPERSEDE else ())
