from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from benchmarks.lifecycle.oracle import Verdict, judge
from benchmarks.lifecycle.stories import Ask, Fact, Stories

NOW = datetime(2026, 1, 1, tzinfo=UTC)
NATURAL = Fact(id="new", user="u", stage=2, supersedes="old", contradiction="natural",
               body={"text": "new", "valid_from": "2025-03-01T00:00:00+00:00"})  # fmt: skip
OLD = Fact(id="old", user="u", stage=1, supersedes=None, contradiction=None,
           body={"text": "old", "valid_from": "2020-01-01T00:00:00+00:00"})  # fmt: skip
ASK = Ask(language="en", surface="current", user="u", text="?", gold=(), absent=(), include_superseded=False,
          as_of=None, valid_at=None, valid_in_days=None)  # fmt: skip


def verdicts(ask: Ask, new: Fact = NATURAL) -> tuple[Verdict, Verdict]:
    stories = Stories(told=(), facts=(OLD, new), playbooks=(), catalog=(), asks=())
    old, successor = (judge(stories, fact, ask, written_at=NOW, now=NOW) for fact in (OLD, new))
    return old, successor


@pytest.mark.parametrize(
    ("asked", "old", "new"),
    [
        ({}, Verdict.SUPERSEDED, Verdict.MAY),
        ({"include_superseded": True}, Verdict.MAY, Verdict.MAY),
        ({"as_of": 1}, Verdict.MAY, Verdict.NOT_YET),
        ({"as_of": 2}, Verdict.SUPERSEDED, Verdict.MAY),
        ({"valid_at": datetime(2022, 1, 1, tzinfo=UTC)}, Verdict.MAY, Verdict.NOT_TRUE),
        ({"valid_at": datetime(2025, 6, 1, tzinfo=UTC)}, Verdict.SUPERSEDED, Verdict.MAY),
        ({"valid_at": datetime(2019, 1, 1, tzinfo=UTC)}, Verdict.NOT_TRUE, Verdict.NOT_TRUE),
    ],
)
def test_what_was_superseded_is_answered_in_its_own_time(
    asked: dict[str, object], old: Verdict, new: Verdict
) -> None:
    assert verdicts(replace(ASK, **asked)) == (old, new)  # type: ignore[arg-type]


def test_what_never_was_true_is_answered_at_no_time() -> None:
    harsh = replace(NATURAL, contradiction="harsh", body={**NATURAL.body, "valid_from": "2020-01-01T00:00:00+00:00"})
    ask = replace(ASK, valid_at=datetime(2022, 1, 1, tzinfo=UTC))
    assert verdicts(ask, harsh) == (Verdict.SUPERSEDED, Verdict.MAY)


@pytest.mark.parametrize(
    ("body", "asked", "verdict"),
    [
        ({"valid_to": "2025-01-01T00:00:00+00:00"}, {}, Verdict.EXPIRED),
        ({"valid_to": "2025-01-01T00:00:00+00:00"}, {"include_superseded": True}, Verdict.MAY),
        ({"category": "progress"}, {"valid_in_days": 6}, Verdict.MAY),
        ({"category": "progress"}, {"valid_in_days": 8}, Verdict.EXPIRED),
        ({"ttl_days": 14}, {"valid_in_days": 15}, Verdict.EXPIRED),
    ],
)
def test_what_has_ended_is_not_answered(body: dict[str, str], asked: dict[str, object], verdict: Verdict) -> None:
    fact = replace(OLD, body={**OLD.body, **body})
    stories = Stories(told=(), facts=(fact,), playbooks=(), catalog=(), asks=())
    found = judge(stories, fact, replace(ASK, **asked), written_at=NOW - timedelta(hours=1), now=NOW)  # type: ignore[arg-type]
    assert found is verdict
