"""Whom a question is about, however many speak."""

import time

import pytest

from memories.models import Session
from memories.questions import asked_about
from memories.services.append_turns import SPEAKERS_MAX
from tenants.services.open_scope import open_scope
from tests.conftest import Caller


@pytest.mark.parametrize(
    ("question", "speakers", "expected"),
    [
        ("What did Ann say?", ["Ann", "Bob"], "Ann"),
        ("what did ANN's dog do", ["Ann", "Bob"], "Ann"),
        ("What did Anna say?", ["Ann", "Bob"], None),
        ("What did Ann tell Bob?", ["Ann", "Bob"], None),
        ("Where does Ann Smith live?", ["Ann Smith", "Ann Jones"], None),
        ("Where does Smith live?", ["Ann Smith", "Bob"], None),
        ("What would Dr. Jones say?", ["Dr. Smith", "Dr. Jones"], "Dr. Jones"),
        ("What does O'Brien want?", ["O'Brien", "Brien"], None),
        ("小明喜欢什么?", ["小明", "李雷"], "小明"),
        ("Что сказала Жанна?", ["Жанна", "Анна"], "Жанна"),
        ("What is my code?", ["user"], "user"),
        ("What is my code?", ["Ann"], None),
        ("What did the user say to J?", ["user", "J"], None),
        ("我的密码是什么?", ["user", "Ann"], "user"),
    ],
)
def test_a_question_is_about_the_one_it_names(question: str, speakers: list[str], expected: str | None) -> None:
    assert asked_about(question, speakers) == expected


def test_thousands_of_speakers_cost_milliseconds() -> None:
    speakers = [f"Speaker{number} Name{number}" for number in range(5_000)]
    question = ("What did Speaker7 say about the cake? " * 110)[:4_000]
    start = time.process_time()
    assert asked_about(question, speakers) == "Speaker7 Name7"
    assert time.process_time() - start < 0.3


def test_a_session_keeps_some_speakers_only(acme: Caller) -> None:
    turns = [
        {"user_id": "u1", "session_id": "s1", "content": "hello", "speaker": f"Speaker {number:03}"}
        for number in range(SPEAKERS_MAX + 50)
    ]
    assert acme.client.post("/api/v1/turns/batch/", {"turns": turns}, format="json").status_code == 201
    acme.turn("hello", speaker="Somebody else")
    with open_scope(acme.scope):
        assert len(Session.objects.get().speakers) == SPEAKERS_MAX
