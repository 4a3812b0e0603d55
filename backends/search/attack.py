"""Attacks on a search engine with a credential that it gave: what is tried, and what came of it.

The holder of an engine's credential can send the engine whatever its protocol knows, past every query of ours. Each
engine lists its probes with what is known to come of each; a difference, better or worse, is a finding.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from uuid import UUID

from backends.search.reach import Reach


class Outcome(Enum):
    """What came of one probe, the mildest first."""

    REFUSED = "refused"
    ABSENT = "no such call"
    OWN = "own data only"
    STATISTICS = "statistics"
    """Nothing foreign came out, but a number tells how much, or which words, others wrote."""
    EXISTENCE = "existence"
    """Whoever knows an id learns that there is something by it."""
    LEAKED = "leaked"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Who attacks, with what is planted on both sides.

    reach: the attacker's own; victim: the other's.
    own_id, victim_id: episodic documents of the two, both without a compartment.
    secrets: strings that only the victim's documents hold; none may be in an answer unless it was in the question.
    common_word, own_word: two words, each in one document of the attacker; the first is in many of the victim's too.
    """

    reach: Reach
    victim: Reach
    own_id: UUID
    victim_id: UUID
    secrets: Sequence[str]
    common_word: str
    own_word: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One probe: what is known of it, and what came of it."""

    name: str
    known: Outcome
    found: Outcome
    or_absent: bool = False
    detail: str = ""

    @property
    def differs(self) -> bool:
        """Say whether the engine did anything but what is known of it; some distributions lack some calls."""
        return self.found is not self.known and not (self.or_absent and self.found is Outcome.ABSENT)
