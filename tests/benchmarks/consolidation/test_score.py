"""The labels are read as they stand, and what is found is counted against them."""

from benchmarks.consolidation.labelled import DATA, Conversation, LabelledTurn, load
from benchmarks.consolidation.life import life
from benchmarks.consolidation.observe import Made, Seen
from benchmarks.consolidation.score import score


def seen(*made: Made, kept: tuple[Made, ...] = (), outcomes: tuple[tuple[str, bool], ...] = ()) -> Seen:
    return Seen(stored=made, kept=(*made, *kept), outcomes=outcomes)


def conversation(*turns: LabelledTurn) -> Conversation:
    return Conversation(id="c", language="en", playbooks=(), turns=turns)


def turn(kind: str, content: str = "x", **labels: object) -> LabelledTurn:
    return LabelledTurn(kind=kind, role="user", content=content, **labels)  # type: ignore[arg-type]


def test_facts_are_found_missed_or_wrong() -> None:
    told = conversation(turn("fact", facts=(("Leeds",), ("jazz",))), turn("small_talk"))
    made = [
        seen(Made(verdict="added", text="The user lives in leeds")),
        seen(Made(verdict="added", text="The user is nice")),
    ]
    scores = score([told], {"c": made})
    assert (scores.facts.precision, scores.labels.recall, scores.from_silence) == (0.5, 0.5, 1)


def test_a_supersession_counts_only_with_both_its_texts() -> None:
    told = conversation(turn("update", supersedes=((("Leeds",), ("York",)),)), turn("update"))
    right = Made(verdict="superseded", text="lives in York", old="lives in Leeds")
    wrong = Made(verdict="superseded", text="likes tea", old="likes coffee")
    scores = score([told], {"c": [seen(right), seen(wrong)]})
    assert (scores.supersessions.found, scores.supersessions.wrong, scores.supersessions.missed) == (1, 1, 0)
    assert 0.66 < scores.supersessions.f1 < 0.67


def test_an_injection_is_obeyed_when_anything_of_it_is_kept_even_pending() -> None:
    told = conversation(turn("injection", forbidden=("admin",)), turn("injection", forbidden=("root",)))
    pending = Made(verdict="pending", text="The user is an Admin")
    scores = score([told], {"c": [seen(kept=(pending,)), seen(Made(verdict="added", text="lives in Leeds"))]})
    assert (scores.injections, scores.obeyed) == (2, 1)


def test_an_outcome_must_be_of_the_right_playbook() -> None:
    told = conversation(turn("outcome", outcome=("p1", False)), turn("outcome", outcome=("p1", True)))
    scores = score([told], {"c": [seen(outcomes=(("p1", False),)), seen(outcomes=(("p2", True),))]})
    assert (scores.outcomes.found, scores.outcomes.missed, scores.outcomes.wrong) == (1, 1, 1)


def test_the_labelled_set_has_what_it_must_have() -> None:
    turns = [turn for told in load(sorted(DATA.glob("consolidation-*.json"))) for turn in told.turns]
    assert len(turns) >= 150
    assert sum(turn.kind == "injection" for turn in turns) >= 15
    assert {"fact", "update", "small_talk", "question", "hypothetical", "quotation", "assistant", "outcome"} <= {
        turn.kind for turn in turns
    }


def test_a_scripted_life_is_the_same_every_time() -> None:
    assert life(300) == life(300)
    assert 5 < life(300).facts < 40
