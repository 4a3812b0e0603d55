"""What the holder of an engine's credential can do past our queries: exactly what is known, on every engine."""

from uuid import uuid4

import pytest

from backends.search.attack import Outcome, Target
from backends.search.base import SearchEngine
from backends.search.reach import Reach
from tests.backends.engine_case import EngineCase
from tests.backends.made import axis, change


def planted(engine: SearchEngine, mine: Reach, theirs: Reach) -> Target:
    """Return a target: two documents of the attacker, many of the victim."""
    secret, common, own = (f"{letter}{uuid4().hex[:14]}0" for letter in "qcw")  # a digit at the end: no stem
    first, second = (
        change(mine, f"{word} was seen", embedding=axis(0), passages=[{"vector": axis(0)}]) for word in (common, own)
    )
    foreign = [
        change(
            theirs,
            f"{secret} {common} badger",
            embedding=axis(0),
            session_id=str(uuid4()),
            agent_id=secret,
            passages=[{"vector": axis(0)}, {"vector": axis(1)}],
        )
        for _ in range(30)
    ]
    engine.apply([*foreign, first, second])
    engine.refresh()
    ids = [str(item.id) for item in foreign] + [str(item.body["session_id"]) for item in foreign if item.body]
    return Target(
        reach=mine,
        victim=theirs,
        own_id=first.id,
        victim_id=foreign[0].id,
        secrets=[secret, str(theirs.tenant_id), *ids],
        common_word=common,
        own_word=own,
    )


class AttackContract(EngineCase):
    """The shipped attack, and that it would notice a wall that is down."""

    @pytest.fixture
    def attacked(self, engine: SearchEngine) -> SearchEngine:
        """Return the engine as the process that answers requests holds it."""
        return engine

    def test_nothing_but_what_is_known_comes_out(
        self, engine: SearchEngine, attacked: SearchEngine, mine: Reach, theirs: Reach
    ) -> None:
        target = planted(engine, mine, theirs)
        victim = self.grant(engine, theirs)
        before = engine.count(theirs)
        findings = attacked.attack(target, using=self.grant(engine, mine), victim_key=victim.id)
        differing = [finding for finding in findings if finding.differs]
        assert not differing, differing
        assert len(findings) > 40
        assert engine.count(theirs) == before
        assert engine.reach_of(victim.id) == theirs

    def test_a_wall_that_is_down_is_noticed(
        self, engine: SearchEngine, attacked: SearchEngine, mine: Reach, theirs: Reach
    ) -> None:
        target = planted(engine, mine, theirs)
        victim = self.grant(engine, theirs)
        findings = attacked.attack(target, using=victim, victim_key=self.grant(engine, theirs).id)
        leaked = {finding.name for finding in findings if finding.differs and finding.found is Outcome.LEAKED}
        assert len(leaked) > 4
