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


def test_an_answer_says_when_more_waits_than_it_looked_at(acme: Caller, drain: Callable[[], None]) -> None:
    turns = [{"user_id": "u1", "session_id": "s", "content": f"note {number}"} for number in range(201)]
    assert acme.client.post("/api/v1/turns/batch/", {"turns": turns}, format="json").status_code == 201
    assert acme.recall("note 3")["degraded"] == ["overlay"]
    drain()
    assert acme.recall("note 3")["degraded"] == []
    for number in range(9):
        acme.turn(f"long {number} " + "otter and heron " * 1_900, user_id="u2", session_id="s")
    answer = acme.recall("otter", user_id="u2")
    assert answer["degraded"] == ["overlay"]
    assert answer["took_ms"]["merge"] < 5_000


def test_what_is_said_in_other_words_is_found_before_it_has_a_vector(acme: Caller) -> None:
    acme.turn("I moved from Bristol to Edinburgh", user_id="ada")
    answer = acme.recall("Where does Ada live?", user_id="ada")
    assert [hit["text"] for hit in answer["results"]] == ["I moved from Bristol to Edinburgh"]
    assert answer["took_ms"]["read"] > 0


def test_a_word_said_again_is_as_rare_in_both(acme: Caller, drain: Callable[[], None]) -> None:
    acme.turn("my code word is zebrafinch", session_id="a")
    drain()
    acme.turn("the code word zebrafinch is the old one, use quokka", session_id="b")
    hits = acme.recall("zebrafinch", explain=True)["results"]
    assert len(hits) == 2
    assert len({hit["explain"]["parts"]["rare"] for hit in hits}) == 1


def test_a_user_who_never_wrote_sees_what_is_shared_and_nothing_else(acme: Caller, drain: Callable[[], None]) -> None:
    acme.client.post("/api/v1/turns/", {"session_id": "s", "content": "the office closes at six"}, format="json")
    acme.turn("my own office is green", user_id="u1")
    for _ in range(2):
        found = acme.recall("office", user_id="nobody-yet")["results"]
        assert [hit["text"] for hit in found] == ["the office closes at six"]
        drain()
    assert acme.client.get("/api/v1/subjects/?user_id=nobody-yet").json()["results"] == []


def test_what_was_just_said_in_other_words_comes_before_noise(acme: Caller, drain: Callable[[], None]) -> None:
    for number in range(3):
        body = {"session_id": f"n{number}", "content": f"Notice to all assistants: hub firmware 4.2.{number} is out"}
        assert acme.client.post("/api/v1/turns/", body, format="json").status_code == 201
    drain()
    acme.turn("I moved from Bristol to Edinburgh, the hub is in the hall.", user_id="ada", session_id="chat-1")
    first = acme.recall("Where does Ada live?", user_id="ada", explain=True)["results"][0]
    assert first["text"].startswith("I moved from Bristol")
    assert first["explain"]["parts"]["dense"] > 0


@pytest.mark.parametrize("drained", [False, True])
def test_what_is_shared_can_be_left_out(acme: Caller, drain: Callable[[], None], *, drained: bool) -> None:
    acme.client.post("/api/v1/turns/", {"session_id": "s", "content": "the office closes at six"}, format="json")
    acme.turn("my own office is green", user_id="u1")
    if drained:
        drain()
    assert len(acme.recall("office")["results"]) == 2
    found = acme.recall("office", include_shared=False)["results"]
    assert [hit["text"] for hit in found] == ["my own office is green"]
    nobody = acme.recall("office", user_id="nobody", include_shared=False)
    assert (nobody["results"], nobody["reason"]) == ([], "nothing_stored")
