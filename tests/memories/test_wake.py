"""Waking a task costs a request nothing, and repeated wishes are one message."""

import threading
import time
from typing import Any

import pytest
from celery import current_app

from memories.services.wake import Waker, wake


def test_a_broker_that_is_away_does_not_hold_a_request_up() -> None:
    start = time.perf_counter()
    for _ in range(100):
        wake("memories.sync")
    assert time.perf_counter() - start < 1


def test_what_is_wanted_again_before_it_was_sent_is_sent_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    first, go_on, done = threading.Event(), threading.Event(), threading.Event()

    def send_task(task: str, **_: Any) -> None:
        sent.append(task)
        if task == "first":
            first.set()
            go_on.wait(10)
        if task == "last":
            done.set()

    monkeypatch.setattr(current_app, "send_task", send_task)
    waker = Waker()
    waker.want(("first", ()))
    assert first.wait(10)
    for _ in range(50):
        waker.want(("again", ()))
    waker.want(("last", ()))
    go_on.set()
    assert done.wait(10)
    assert [name for name in sent if name in {"first", "again", "last"}] == ["first", "again", "last"]
