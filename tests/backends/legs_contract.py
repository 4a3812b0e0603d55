"""What a search of every engine must find, and with which numbers; written against the interface alone."""

from datetime import timedelta

import pytest

from backends.search.base import Query, SearchEngine, Statistics, Where
from backends.search.changes import State
from backends.search.facets import filterable
from backends.search.filters import AnyOf, Field
from backends.search.reach import Reach
from memories.bm25 import Measured, TermCounter, lexical_scores
from tests.backends.engine_case import EngineCase
from tests.backends.made import MORNING, axis, change

ODD = [
    "", " ", "?!…", '"', "\\", "%", "_", "*", "+-=&|><!(){}[]^~:/", "'; DROP TABLE engine.document; --", "{{x}}",
    "%(places)s", "$1", "\x00", "\ud83d", "\u202e", "🦦", "NOT (", "turn:otter", "x" * 4_000,
]  # fmt: skip
"""Nothing here matches a badger."""


class LegsContract(EngineCase):
    """Both legs, what picks, what restricts, what is counted."""

    def test_a_document_is_found_by_its_words(self, engine: SearchEngine, mine: Reach) -> None:
        otter, heron = change(mine, "the otters are swimming"), change(mine, "the heron sleeps")
        assert self.put(engine, otter, heron) == [State.APPLIED, State.APPLIED]
        found = self.find(engine, mine, "swimming otter")
        assert set(found) == {otter.id}
        assert found[otter.id].lexical > 0
        assert found[otter.id].dense is None

    def test_chinese_is_found_by_its_pairs(self, engine: SearchEngine, mine: Reach) -> None:
        green, parcel = change(mine, "我最喜欢的颜色是绿色"), change(mine, "快递用顺丰寄到杭州")
        self.put(engine, green, parcel)
        assert set(self.find(engine, mine, "绿色")) == {green.id}
        assert set(self.find(engine, mine, "顺丰到了吗")) == {parcel.id}

    def test_a_rare_literal_comes_first(self, engine: SearchEngine, mine: Reach) -> None:
        noise = [change(mine, f"the hub showed E-{number} again") for number in range(4000, 4030)]
        self.put(engine, *noise)
        found = self.find(engine, mine, "what is E-4012?")
        assert max(found.values(), key=lambda candidate: candidate.lexical).id == noise[12].id

    def test_a_document_with_a_rare_term_joins_the_pool_and_says_so(self, engine: SearchEngine, mine: Reach) -> None:
        long = change(mine, "wombat " + "about tea and more tea " * 60)
        self.put(engine, long, *[change(mine, "tea for you") for _ in range(8)])
        found = self.find(engine, mine, "tea wombat", candidates=2)
        assert found[long.id].rare_terms == ("wombat",)
        assert found[long.id].lexical > 0
        assert {candidate.rare_terms for candidate in found.values() if candidate.id != long.id} == {()}

    def test_a_question_of_question_words_only_still_matches(self, engine: SearchEngine, mine: Reach) -> None:
        who = change(mine, "guess who")
        self.put(engine, who)
        assert set(self.find(engine, mine, "who?")) == {who.id}

    def test_the_window_counts_twice(self, engine: SearchEngine, mine: Reach) -> None:
        inside = change(mine, "badger", window="one two three")
        around = change(mine, "one two three", window="badger")
        self.put(engine, inside, around)
        found = self.find(engine, mine, "badger")
        assert found[around.id].lexical > found[inside.id].lexical
        even = self.find(engine, mine, "badger", window_weight=0.001)
        assert even[inside.id].lexical > even[around.id].lexical

    def test_both_legs_numbers_are_filled_in(self, engine: SearchEngine, mine: Reach) -> None:
        words = change(mine, "a badger in the garden", embedding=axis(0))
        near = change(mine, "nothing alike", embedding=axis(1))
        self.put(engine, words, near)
        found = self.find(engine, mine, "badger", vector=axis(1), candidates=1)
        assert set(found) == {words.id, near.id}
        assert found[near.id].lexical == 0
        assert found[near.id].dense == pytest.approx(1, abs=0.02)
        assert found[words.id].lexical > 0
        assert found[words.id].dense == pytest.approx(0, abs=0.02)

    def test_each_leg_is_cut_at_the_candidates_asked_for(self, engine: SearchEngine, mine: Reach) -> None:
        self.put(engine, *[change(mine, "badger " * (1 + number), embedding=axis(number)) for number in range(9)])
        assert len(self.find(engine, mine, "badger", candidates=4)) == 4
        assert len(self.find(engine, mine, "nowhere", vector=axis(3), candidates=4)) == 4

    def test_the_participants_bonus_picks_but_does_not_show(self, engine: SearchEngine, mine: Reach) -> None:
        mei = change(mine, "badger and a long tail of other words in this line", author="Mei")
        tom = change(mine, "badger badger", author="Tom")
        self.put(engine, mei, tom)
        assert set(self.find(engine, mine, "badger", candidates=1)) == {tom.id}
        picked = self.find(engine, mine, "badger", candidates=1, author="Mei", own_bonus=50.0)
        plain = self.find(engine, mine, "badger")
        assert set(picked) == {mei.id}
        assert picked[mei.id].lexical == pytest.approx(plain[mei.id].lexical, abs=1e-4)
        assert self.find(engine, mine, "nowhere", author="Mei") == {}

    def test_restrictions_hold_in_both_legs(self, engine: SearchEngine, mine: Reach) -> None:
        later, agents = MORNING + timedelta(days=9), Field(name="agent_id")
        kept = change(mine, "badger", embedding=axis(0), **filterable({"memory_type": "episodic", "agent_id": "a"}))
        other = change(mine, "badger", embedding=axis(0), **filterable({"memory_type": "episodic", "agent_id": "b"}),
                       valid_from=later.isoformat(), valid_to=(later + timedelta(days=1)).isoformat())  # fmt: skip
        self.put(engine, kept, other)
        by_agent = AnyOf(field=agents, values=("a",))
        for where in (Where(filters=by_agent), Where(valid_at=MORNING), Where(filters=by_agent, valid_at=later)):
            assert set(self.find(engine, mine, "badger", vector=axis(0), where=where)) == {kept.id}, where
        nobody = Where(filters=AnyOf(field=agents, values=("c",)))
        assert self.find(engine, mine, "badger", vector=axis(0), where=nobody) == {}
        ended = Where(valid_at=later + timedelta(days=1))
        assert set(self.find(engine, mine, "badger", vector=axis(0), where=ended)) == {kept.id}
        assert len(self.find(engine, mine, "badger", vector=axis(0), where=Where(valid_at=later))) == 2

    def test_what_others_wrote_changes_no_score(self, engine: SearchEngine, mine: Reach, theirs: Reach) -> None:
        self.put(
            engine, change(mine, "badger and otter"), *[change(mine, f"otter {n} by the river") for n in range(5)]
        )
        alone = self.find(engine, mine, "badger otter")
        self.put(engine, *[change(theirs, "badger " * (n + 1), window="badger") for n in range(30)])
        assert self.find(engine, mine, "badger otter") == alone

    def test_a_score_is_the_one_that_the_overlay_would_give(self, engine: SearchEngine, mine: Reach) -> None:
        told = [("badger and otter", "an otter, a badger"), ("otter " * 60, "otter"), ("heron", "no badger here")]
        changes = [change(mine, turn, window=window) for turn, window in told]
        self.put(engine, *changes)
        counter = TermCounter(["badger", "otter"])
        measured = [Measured(turn=counter.measure([turn]), window=counter.measure([window])) for turn, window in told]
        nothing = Statistics(documents=0, frequencies={})
        expected = lexical_scores(["badger", "otter"], measured, known=nothing, window_weight=2.0)
        found = self.find(engine, mine, "badger otter")
        assert [found[one.id].lexical for one in changes] == pytest.approx(expected, abs=1e-5)

    def test_statistics_count_the_reach(self, engine: SearchEngine, mine: Reach, theirs: Reach) -> None:
        self.put(
            engine, change(mine, "badger", window="otter"), change(mine, "badger otter"), change(theirs, "badger")
        )
        query = Query(reach=mine, text="where is the badger", vector=None)
        statistics = engine.search(query, using=self.grant(engine, mine)).statistics
        assert statistics is not None
        assert statistics.documents == 2
        assert statistics.frequencies == {"badger": (2, 1)}

    def test_what_one_leg_found_has_the_number_the_other_would_give(self, engine: SearchEngine, mine: Reach) -> None:
        self.put(
            engine,
            *[change(mine, "badger and otter " * (1 + n), embedding=axis(n)) for n in range(6)],
            change(mine, "otter", window="badger badger"),
        )
        whole = self.find(engine, mine, "badger", vector=axis(2))
        narrow = self.find(engine, mine, "badger", vector=axis(2), candidates=1)
        assert 1 <= len(narrow) < len(whole) == 7
        for object_id, candidate in narrow.items():
            assert candidate.lexical == pytest.approx(whole[object_id].lexical, abs=1e-4)
            assert candidate.dense == pytest.approx(whole[object_id].dense, abs=0.02)

    def test_a_document_without_a_vector_has_no_cosine(self, engine: SearchEngine, mine: Reach) -> None:
        bare = change(mine, "badger")
        self.put(engine, bare)
        assert self.find(engine, mine, "badger", vector=axis(0))[bare.id].dense is None

    def test_a_word_asked_twice_counts_once(self, engine: SearchEngine, mine: Reach) -> None:
        self.put(engine, change(mine, "badger"), change(mine, "otter"))
        once = {c.id: c.lexical for c in self.find(engine, mine, "badger otter").values()}
        twice = {c.id: c.lexical for c in self.find(engine, mine, "badger badgers otter badger").values()}
        assert twice == pytest.approx(once, abs=1e-4)

    @pytest.mark.parametrize("odd", ODD)
    def test_an_odd_question_is_answered(self, engine: SearchEngine, mine: Reach, odd: str) -> None:
        badger = change(mine, "badger", embedding=axis(0))
        self.put(engine, badger)
        assert self.find(engine, mine, odd) == {}
        assert set(self.find(engine, mine, f"{odd} badger", vector=axis(0))) == {badger.id}

    def test_a_long_question_is_answered(self, engine: SearchEngine, mine: Reach) -> None:
        badger = change(mine, "badger")
        self.put(engine, badger)
        words = " ".join(f"word{number}" for number in range(700))
        assert set(self.find(engine, mine, f"{words} badger")) == {badger.id}

    def test_statistics_name_every_term_that_was_asked(self, engine: SearchEngine, mine: Reach) -> None:
        query = Query(reach=mine, text="where is the badger", vector=None)
        statistics = engine.search(query, using=self.grant(engine, mine)).statistics
        assert statistics is not None
        assert (statistics.documents, dict(statistics.frequencies)) == (0, {"badger": (0, 0)})

    def test_every_leg_says_how_long_it_took(self, engine: SearchEngine, mine: Reach) -> None:
        self.put(engine, change(mine, "badger", embedding=axis(0)))
        query = Query(reach=mine, text="badger", vector=axis(0))
        took_ms = engine.search(query, using=self.grant(engine, mine)).took_ms
        assert {"lexical", "dense", "fill"} <= set(took_ms)
        assert all(0 <= took < 60_000 for took in took_ms.values())

    def test_an_engine_that_is_set_up_says_so(self, engine: SearchEngine) -> None:
        engine.ping()
