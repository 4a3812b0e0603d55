"""The model as a judge of what rules take for new: it is heard as far as the words bear it out, and never closes more."""

import json
from typing import Any

import pytest

from tenants.models import Event
from tenants.services.open_scope import open_scope
from tests.consolidation.conftest import Person
from tests.consolidation.test_model import answer, fact, sleep_with
from tests.model_server import model_server
from tests.test_no_transaction_held import Watch

KNOWN = "The user takes 5 mg of Ramipril in the morning"
FIRST = fact(
    quote="5 mg of Ramipril in the morning",
    text=KNOWN,
    predicate="has_condition",
    value="5 mg of Ramipril in the morning",
)


def verdict(**fields: Any) -> dict[str, Any]:
    """Return what a model says of the first statement, about the first known one."""
    return {"id": "c1", "verdict": "duplicate", "ref": "k1", **fields}


def verdicts(*given: dict[str, Any]) -> str:
    return json.dumps({"verdicts": list(given)})


def later(said: str, text: str, **fields: Any) -> str:
    """Return the answer that finds a second fact, said in just these words."""
    return answer(fact(quote=said, text=text, predicate="has_condition", value=said, **fields))


def tell(ada: Person, said: str, found: str, *judged: str | int, **fields: Any) -> list[dict[str, Any]]:
    """Have the first fact believed, then tell something; return the pairs that the model was asked about."""
    ada.say("I swallow 5 mg of Ramipril in the morning", session_id="first", occurred_at="2026-03-01T10:00:00Z")
    with model_server(answer(FIRST)) as server:
        sleep_with(server)
    assert ada.texts() == [KNOWN]
    ada.say(said, session_id="second", **{"occurred_at": "2026-06-01T10:00:00Z", **fields})
    with model_server(found, *judged) as server:
        sleep_with(server)
        pairs: list[dict[str, Any]] = server.asked().get("pairs", [])
    return pairs


SAME = ("Each morning 5 mg of Ramipril go down", "The user swallows 5 mg of Ramipril each morning")


def test_said_in_other_words_it_is_one_fact_with_both_sources(ada: Person) -> None:
    (pair,) = tell(ada, SAME[0], later(*SAME), verdicts(verdict()))
    assert (pair["statement"], pair["said"]) == (SAME[1], SAME[0])
    assert pair["known"] == [{"ref": "k1", "statement": KNOWN, "since": "2026-03-01"}]
    (one,) = ada.facts()
    assert (one["text"], one["frequency"]) == (KNOWN, 2)
    walk = ada.caller.client.get(f"/api/v1/memories/{one['id']}/source/").json()["sources"]
    assert len({step["turn"]["turn_id"] for step in walk}) == 2
    assert [one["why"] for one in ada.decisions(verdict="repeated")] == ["model_same"]
    (hit,) = ada.caller.recall("Ramipril", user_id="ada", memory_types=["semantic"])["results"]
    assert hit["text"] == KNOWN
    with open_scope(ada.caller.system):
        asked = [event.data["model"] for event in Event.objects.filter(kind="model.asked").order_by("id")]
    assert asked == ["scripted/extract-2", "scripted/extract-2", "scripted/judge-1"]
    assert [run["prompt_tokens"] for run in ada.get("consolidations/")] == [200, 100]


def test_said_more_closely_it_takes_the_place_of_what_said_less(ada: Person) -> None:
    said = "With a glass of milk 5 mg of Ramipril go down in the morning"
    text = "The user takes 5 mg of Ramipril in the morning with a glass of milk"
    tell(ada, said, later(said, text), verdicts(verdict(verdict="refinement")))
    assert ada.texts() == [text]
    assert [one["why"] for one in ada.decisions(verdict="refined")] == ["model_refines"]
    assert len(ada.texts(status="superseded")) == 1


@pytest.mark.parametrize(
    ("said", "kind", "decided"),
    [
        ("Ramipril is 10 mg in the evening now", "contradiction_natural", ("superseded", "model_contradicts")),
        (
            "The 5 mg of Ramipril are wrong, those were for my sister",
            "contradiction_harsh",
            ("denied", "model_denies"),
        ),
    ],
)
def test_what_the_words_speak_against_gives_way(ada: Person, said: str, kind: str, decided: tuple[str, str]) -> None:
    text = f"The user: {said}"
    tell(ada, said, later(said, text), verdicts(verdict(verdict=kind)))
    assert ada.texts() == [text]
    assert [one["why"] for one in ada.decisions(verdict=decided[0])] == [decided[1]]
    (old,) = ada.facts(status="superseded")
    assert old["contradiction"] == ("natural" if kind.endswith("natural") else "harsh")
    recalled = ada.caller.recall("Ramipril", user_id="ada", memory_types=["semantic"], include_superseded=True)
    assert {hit["text"] for hit in recalled["results"]} == {KNOWN, text}


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("10 mg of Ramipril go down each morning", "duplicate"),
        ("Each morning 5 mg of Bisoprolol go down", "duplicate"),
        ("5 mg of Ramipril do not go down each morning", "duplicate"),
        ("My back hurts", "duplicate"),
        ("Ramipril makes me cough", "refinement"),
        ("10 mg of Ramipril in the morning, with a glass of milk", "refinement"),
        ("Ramipril makes me cough", "contradiction_natural"),
        ("Ramipril makes me cough", "contradiction_harsh"),
        ("Ramipril makes me cough now", "contradiction_harsh"),
        ("Ramipril makes me cough now", "unrelated"),
        ("Ramipril makes me cough now", "nonsense"),
    ],
)
def test_what_differs_or_speaks_against_nothing_stays_beside(ada: Person, said: str, kind: str) -> None:
    text = f"The user: {said}"
    tell(ada, said, later(said, text), verdicts(verdict(verdict=kind)))
    assert set(ada.texts()) == {KNOWN, text}
    assert ada.texts(status="superseded") == []


@pytest.mark.parametrize(
    "given",
    [
        [verdict(ref="k2")],
        [verdict(ref="f1")],
        [verdict(ref=None)],
        [verdict(ref=["k1"])],
        [verdict(id="c2")],
        [verdict(id=1)],
        [verdict(), verdict(verdict="unrelated", ref=None)],
        [],
    ],
)
def test_a_verdict_on_what_was_not_shown_is_none(ada: Person, given: list[dict[str, Any]]) -> None:
    tell(ada, SAME[0], later(*SAME), verdicts(*given))
    assert set(ada.texts()) == {KNOWN, SAME[1]}


@pytest.mark.parametrize(
    "judged", ["", "no", '{"verdicts": [', '{"verdicts": 7}', '{"verdicts": [1]}', "[" * 4000, 500, 401]
)
def test_a_judge_that_talks_nonsense_or_is_away_leaves_the_rules_alone(ada: Person, judged: str | int) -> None:
    tell(ada, SAME[0], later(*SAME), judged)
    assert set(ada.texts()) == {KNOWN, SAME[1]}
    (run, _) = ada.get("consolidations/")
    assert (run["state"], run["error"]) == ("done", "")


def test_half_a_verdict_is_mended_once(ada: Person) -> None:
    tell(ada, SAME[0], later(*SAME), '{"verdicts": [{"id', verdicts(verdict()))
    assert ada.texts() == [KNOWN]


def test_what_is_stale_closes_nothing(ada: Person) -> None:
    said = "Ramipril is 10 mg in the evening now"
    text = f"The user: {said}"
    judged = verdicts(verdict(verdict="contradiction_natural"))
    tell(ada, said, later(said, text), judged, occurred_at="2026-01-01T10:00:00Z")
    assert ada.texts()[0] == KNOWN
    assert [one["why"] for one in ada.decisions(verdict="past")] == ["older"]


def test_what_is_trusted_less_closes_nothing(ada: Person) -> None:
    said = "Ramipril is 10 mg in the evening now"
    tell(ada, said, later(said, f"The user: {said}"), verdicts(verdict(verdict="contradiction_natural")), trust="web")
    assert ada.texts() == [KNOWN]
    assert [one["why"] for one in ada.decisions(verdict="pending")] == ["less_trusted"]


def test_a_hedge_closes_nothing(ada: Person) -> None:
    said = "Ramipril may be 10 mg now"
    found = later(said, f"The user: {said}", confidence=0.5)
    tell(ada, said, found, verdicts(verdict(verdict="contradiction_natural")))
    assert ada.texts() == [KNOWN]
    assert [one["why"] for one in ada.decisions(verdict="pending")] == ["unsure"]


def test_another_users_fact_is_not_met(ada: Person) -> None:
    bob = Person(caller=ada.caller, user_id="bob")
    tell(bob, "hello", answer())
    ada.say(SAME[0])
    with model_server(later(*SAME), verdicts(verdict())) as server:
        sleep_with(server)
        assert len(server.requests) == 1
    assert ada.texts() == [SAME[1]]
    assert bob.texts() == [KNOWN]


def test_no_transaction_is_held_while_the_judge_is_asked(ada: Person, superuser_dsn: str) -> None:
    watch = Watch(superuser_dsn)
    ada.say("I swallow 5 mg of Ramipril in the morning")
    with model_server(answer(FIRST)) as server:
        sleep_with(server)
    ada.say(SAME[0])
    with model_server(later(*SAME), verdicts(verdict())) as server:
        server.meanwhile = watch.look
        sleep_with(server)
    assert watch.looks == 2
    assert watch.held == []


def test_a_policy_that_forbids_it_asks_no_judge(ada: Person) -> None:
    ada.say("I like jazz.")
    with model_server(answer()) as server:
        sleep_with(server)
    keeper = ada.caller.holding(abilities=["keys:manage"])
    changed = keeper.client.patch("/api/v1/policy/", {"set": {"consolidation.external_model": False}}, format="json")
    assert changed.status_code == 200, changed.content
    ada.say("I like blues.")
    with model_server(verdicts(verdict())) as server:
        sleep_with(server)
        assert server.requests == []
    assert len(ada.texts()) == 2
