"""The demo against a running server: this is what `make run` shows."""

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import pytest

from memory_site.demo.__main__ import main
from memory_site.demo.ask import ask
from memory_site.demo.client import Api
from memory_site.demo.facts import SLOT, USER_ID, view_facts, write_facts
from memory_site.demo.replay import Replayed, replay
from memory_site.demo.samples import TENANTS, load_questions, load_sessions

SESSIONS = load_sessions()
TURNS = sum(len(session.turns) for session in SESSIONS)
QUESTIONS = load_questions()
WAIT_S = 120.0


class LiveStack(Protocol):
    """A running server with both tenants."""

    url: str
    keys: Mapping[str, str]


@pytest.fixture
def apis(live_stack: LiveStack) -> Iterator[Mapping[str, Api]]:
    with ExitStack() as stack:
        yield {slug: stack.enter_context(Api(live_stack.url, live_stack.keys[slug])) for slug in TENANTS}


@pytest.fixture
def replayed(apis: Mapping[str, Api]) -> Replayed:
    done = replay(SESSIONS, apis)
    for api in apis.values():
        api.wait_until_searchable(within_s=WAIT_S)
    return done


@pytest.fixture
def keys_file(live_stack: LiveStack, tmp_path: Path) -> Path:
    return written(tmp_path, live_stack.url, live_stack.keys)


def written(folder: Path, url: str, keys: Mapping[str, str]) -> Path:
    path = folder / "local.json"
    path.write_text(json.dumps({"url": url, "tenants": {slug: {"api_key": key} for slug, key in keys.items()}}))
    return path


def test_a_second_replay_adds_nothing(replayed: Replayed, apis: Mapping[str, Api]) -> None:
    again = replay(SESSIONS, apis)
    assert (again.new, again.known) == (0, TURNS)
    assert again.turn_ids == replayed.turn_ids
    assert len(again.turn_ids) == TURNS


def test_the_few_asked_for_hold_what_each_question_needs(replayed: Replayed, apis: Mapping[str, Api]) -> None:
    missed = {}
    for asked in ask(QUESTIONS, apis):
        found = [replayed.turn_ids[hit.turn_id] for hit in asked.answer.hits]
        if not asked.is_foreign and not set(found) & set(asked.question.expect):
            missed[asked.question.id] = found
    assert missed == {}


def test_the_other_tenant_answers_nothing(replayed: Replayed, apis: Mapping[str, Api]) -> None:
    foreign = [asked for asked in ask(QUESTIONS, apis) if asked.is_foreign]
    assert [(asked.answer.hits, asked.answer.reason) for asked in foreign] == [((), "nothing_stored")]


def test_the_command_prints_every_question_with_its_memories(
    live_stack: LiveStack, keys_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--keys-file", str(keys_file), "--url", live_stack.url]) == 0
    out = capsys.readouterr().out
    assert f"Replayed {len(SESSIONS)} sessions" in out
    for question in QUESTIONS:
        assert question.text in out
    assert "Edinburgh" in out
    assert "nothing: this tenant has nothing stored for that user" in out
    assert "\x1b" not in out


def test_a_fact_is_superseded_once_and_shown_in_every_view(
    replayed: Replayed, apis: Mapping[str, Api], keys_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        assert main(["--keys-file", str(keys_file)]) == 0
    said = capsys.readouterr().out
    assert "facts follow in a quarter of an hour" in said
    assert said.rindex("“Maria lives in Bristol” was there from an earlier run") > said.index("POST memories/")
    assert not write_facts(apis["acme"], replayed.turn_ids)
    views = {
        view.asked.split()[0]: [(hit.text, hit.status) for hit in view.answer.hits]
        for view in view_facts(apis["acme"])
    }
    new, old = ("Maria lives in Edinburgh", "active"), ("Maria lives in Bristol", "superseded")
    assert views["now"] == [new]
    assert sorted(views["include_superseded"]) == [old, new]
    assert [text for text, _ in views["as_of"]] == [old[0]]
    for status in ("active", "superseded"):
        assert len(apis["acme"].facts(user_id=USER_ID, slot=SLOT, status=status)) == 1


def test_a_refused_key_ends_the_command_with_one_sentence(
    live_stack: LiveStack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys_file = written(tmp_path, live_stack.url, {**live_stack.keys, "acme": "mneme_wrong"})
    assert main(["--keys-file", str(keys_file)]) == 1
    said = capsys.readouterr().err
    assert said.strip() == f"The key for acme in {keys_file} was refused by {live_stack.url}."


def test_exchanged_keys_are_noticed_before_anything_is_written(
    live_stack: LiveStack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exchanged = {"acme": live_stack.keys["globex"], "globex": live_stack.keys["acme"]}
    keys_file = written(tmp_path, live_stack.url, exchanged)
    assert main(["--keys-file", str(keys_file)]) == 1
    assert "belongs to the tenant globex" in capsys.readouterr().err


def test_a_server_that_is_away_ends_the_command_with_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys_file = written(tmp_path, "http://127.0.0.1:9", {"acme": "k", "globex": "k"})
    assert main(["--keys-file", str(keys_file), "--wait", "0"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("Nothing answers at http://127.0.0.1:9 ")
