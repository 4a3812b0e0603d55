"""Late interaction: from the worker's tokens to the order of an answer, and what happens without them."""

from collections.abc import Callable

from django.conf import settings

from memories.models import MemoryTokens, OutboxEntry
from memories.services.engine import token_encoder
from tenants.scope import Ability
from tenants.services.open_scope import open_scope
from tests.conftest import Caller

Drain = Callable[[], None]


def test_the_worker_makes_tokens_and_the_answer_is_ordered_by_them(acme: Caller, drain: Drain) -> None:
    english = acme.turn("The kitten slept on the warm windowsill all afternoon", speaker="Ada")
    chinese = acme.turn("小猫整个下午都睡在窗台上", speaker="Ada")
    drain()
    with open_scope(acme.system):
        held = {str(row.memory_id): len(bytes(row.vectors)) for row in MemoryTokens.objects.all()}
        assert not OutboxEntry.objects.exists()
    assert held[english["memory_id"]] > 10 * 384  # a row of numbers for each of its words
    assert held[chinese["memory_id"]] == 0  # looked at, and not in a language of the model
    answer = acme.recall("Where was the kitten asleep?", explain=True)
    parts = {hit["memory_id"]: hit["explain"]["parts"] for hit in answer["results"]}
    assert "late" in parts[english["memory_id"]]
    words = {hit["memory_id"]: hit["explain"]["words"] for hit in answer["results"]}
    assert "its meaning" in words[english["memory_id"]]


def test_an_answer_is_raised_by_the_question_right_before_it(acme: Caller, drain: Drain) -> None:
    said = [
        ("a", "Bob", "I repaired the bicycle of my neighbour"),
        ("b", "Ada", "Where did the kitten sleep this afternoon?"),
        ("b", "Bob", "Up there, on the sill, all afternoon"),
        ("c", "Bob", "Up there, on the sill, all afternoon!"),
    ]
    told = [acme.turn(text, speaker=who, session_id=session)["memory_id"] for session, who, text in said]
    drain()
    answer = acme.recall("Where was the kitten asleep?", explain=True)
    late = {hit["memory_id"]: hit["explain"]["parts"]["late"] for hit in answer["results"]}
    missed = {one["memory_id"]: one["parts"]["late"] for one in answer["explain"]["near_misses"]}
    parts = {**missed, **late}
    assert parts[told[1]] > parts[told[2]] > parts[told[3]]


def test_a_question_in_chinese_and_one_with_the_weight_off_go_without(acme: Caller, drain: Drain) -> None:
    manager = acme.holding(abilities=[Ability.KEYS_MANAGE, Ability.MEMORIES_READ])
    acme.turn("The kitten slept on the warm windowsill", speaker="Ada")
    acme.turn("小猫睡在窗台上", speaker="Ada")
    drain()
    for query, off in (("小猫睡在哪里?", False), ("Where did the kitten sleep?", True)):
        if off:
            changed = {"set": {"recall.general.late": 0, "recall.assistant.late": 0}}
            assert manager.client.patch("/api/v1/policy/", changed, format="json").status_code == 200
        hits = acme.recall(query, explain=True)["results"]
        assert hits
        assert all("late" not in hit["explain"]["parts"] for hit in hits)


def test_without_the_model_everything_else_works(acme: Caller, drain: Drain) -> None:
    settings.LATE_MODEL = "none"
    try:
        acme.turn("The kitten slept on the warm windowsill")
        drain()
        with open_scope(acme.system):
            assert not MemoryTokens.objects.exists()
            assert not OutboxEntry.objects.exists()
        assert acme.recall("Where did the kitten sleep?")["results"]
    finally:
        settings.LATE_MODEL = "bundled"
    assert token_encoder() is not None
