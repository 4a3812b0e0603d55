"""The overlay's own BM25 stands on the engine's scale."""

from collections.abc import Callable

import pytest

from backends.search.analysis import question_terms
from backends.search.base import Query, Statistics, Where
from memories.bm25 import Measured, TermCounter, lexical_scores
from memories.lines import context, dated, line, stamp
from memories.models import Memory
from memories.services.engine import search_engine
from tenants.services.engine_credential import engine_credential, reach_of
from tenants.services.open_scope import open_scope
from tests.conftest import Caller

TEXTS = [
    "the otter is called Bramble and eats fish",
    "an otter again, the otter of the river",
    "快递用顺丰寄到杭州",
    "nothing alike at all",
]


def test_scores_equal_those_of_the_postgres_engine(acme: Caller, drain: Callable[[], None]) -> None:
    from django.utils import timezone

    for number, text in enumerate(TEXTS):
        acme.turn(text, session_id=f"s{number}")
    drain()
    query = Query(reach=reach_of(acme.scope), text="which otter eats 顺丰", vector=None, where=Where())
    credential = engine_credential(acme.scope, search_engine(), now=timezone.now())
    engine_scores = {c.id: c.lexical for c in search_engine().search(query, using=credential).candidates}
    with open_scope(acme.scope):
        memories = list(Memory.objects.all())
    asked = question_terms(query.text)
    counter = TermCounter(asked)
    measured = [
        Measured(
            turn=counter.measure([dated(line(memory.author, memory.text), memory.valid_from)]),
            window=counter.measure([stamp(memory.context, memory.valid_from), *memory.context.split("\n")]),
        )
        for memory in memories
    ]
    nothing = Statistics(documents=0, frequencies={})
    scores = lexical_scores(asked, measured, known=nothing, window_weight=2.0)
    for memory, score in zip(memories, scores, strict=True):
        assert score == pytest.approx(engine_scores.get(memory.id, 0.0), abs=1e-9)
    assert len(engine_scores) == 3


def test_a_context_has_two_lines_before_and_one_after() -> None:
    assert context(["a", "b", "c"], "own", ["d", "e"]) == "b\nc\nown\nd"
    assert context([], "own", []) == "own"
    assert max(map(len, context(["x" * 9_000], "own", []).split("\n"))) == 2_000
    assert line("Mei", "two\nlines") == "Mei: two lines"
