"""Each episode is consolidated once: by two workers at a time, and by one that is killed in the middle."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from consolidation.models import Run
from consolidation.rules.extract import extract
from consolidation.services import work as work_module
from consolidation.services.apply import apply
from consolidation.services.consolidate import consolidate
from consolidation.services.due import asked, due
from consolidation.services.runs import LEASE, RunTaken, begin_run
from consolidation.services.select import select
from consolidation.services.work import Worked, work
from tests.conftest import Caller, login
from tests.consolidation.conftest import Person
from tests.site import WAIT_S, Site, running

WORKERS = 4
TURNS, KILLS = 40, 2
"""Of each user; each kill costs what is left of a lease."""


def in_threads(function: Callable[[], None]) -> None:
    """Call a function in several threads at the same moment, each with a connection of its own."""
    gate = threading.Barrier(WORKERS)

    def call() -> None:
        gate.wait()
        try:
            function()
        finally:
            connection.close()

    threads = [threading.Thread(target=call) for _ in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_one_run_a_user_at_a_time(ada: Person) -> None:
    for number in range(20):
        ada.say(f"I like band number {number}.", session_id=f"s{number}")
    done: list[Worked] = []
    with login("mneme_worker"):
        in_threads(lambda: done.append(work(asked(None), clock=timezone.now)))
    assert sum(worked.episodes for worked in done) == 20
    assert len(ada.texts()) == 20
    assert {fact["frequency"] for fact in ada.facts()} == {1}
    assert len(ada.decisions()) == 20


def test_an_episode_that_several_runs_read_at_once_is_applied_once(ada: Person) -> None:
    """As when the lease of a run that is not dead has ended."""
    ada.say("I live in Leeds and I love you know what: jazz.")
    ada.say("I like chess.")
    applied: list[Counter[str]] = []
    with login("mneme_worker"):
        (waiting,) = asked(None)
        run = begin_run(waiting, extractor="test", now=timezone.now())
        with pytest.raises(RunTaken):
            begin_run(waiting, extractor="test", now=timezone.now())
        later = begin_run(waiting, extractor="test", now=timezone.now() + LEASE + timedelta(seconds=1))
        episodes = select(run)
        runs = iter([run, later] * WORKERS)

        def read_all() -> None:
            own = next(runs)
            for episode in episodes:
                found = extract(episode.content, said_at=episode.occurred_at)
                applied.append(apply(own, episode, found, now=timezone.now()))

        in_threads(read_all)
    assert sum(1 for verdicts in applied if verdicts) == len(episodes) == 2
    assert {fact["frequency"] for fact in ada.facts()} == {1}


def test_due_after_a_number_of_turns_after_quiet_and_after_a_day(ada: Person) -> None:
    now = timezone.now()
    ada.say("I live in Leeds.")
    with login("mneme_worker"):
        assert due(now=now) == []
        (quiet,) = due(now=now + timedelta(minutes=20))
        assert (quiet.reason, quiet.episodes) == ("quiet", 1)
    for number in range(19):
        ada.say(f"hello {number}")
    with login("mneme_worker"):
        (many,) = due(now=now)
        assert (many.reason, many.episodes) == ("count", 20)


def test_compartments_are_consolidated_apart(acme: Caller, ada: Person, sleep: Callable[[], Worked]) -> None:
    doctor = acme.holding("doctor")
    doctor.turn("I have asthma.", user_id="ada", session_id="ward", compartments=["doctor"])
    ada.say("I live in Leeds.")
    assert sleep().runs == 2
    assert ada.texts() == ["The user lives in Leeds"]
    seen = doctor.client.get("/api/v1/memories/", {"user_id": "ada", "memory_type": "semantic"}).json()["results"]
    assert {fact["text"] for fact in seen} == {"The user lives in Leeds", "The user has asthma"}


def test_a_fault_in_one_users_run_stops_nobody_elses(
    agent: Caller, sleep: Callable[[], Worked], monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [Person(caller=agent, user_id=name) for name in ("ada", "bob", "cleo")]
    for person in people:
        person.say("I live in Leeds.")
    first: list[UUID] = []

    def faulty(run: Run, **given: Any) -> Any:
        first.append(run.id)
        if run.id == first[0]:
            raise RecursionError
        return consolidate(run, **given)

    with monkeypatch.context() as patch:
        patch.setattr(work_module, "consolidate", faulty)
        done = sleep()
    assert (done.runs, done.failed, done.counts) == (3, 1, {"added": 2})
    assert sleep().counts == {"added": 1}
    assert all(person.texts() == ["The user lives in Leeds"] for person in people)


def test_a_worker_killed_in_the_middle_leaves_each_episode_read_once(tmp_path: Path) -> None:
    with running("postgres", tmp_path) as site:
        users = [f"u{number}" for number in range(4)]
        for user in users:
            turns = [
                {"user_id": user, "session_id": "s", "content": f"I like song {number}. I live in town {number}."}
                for number in range(TURNS)
            ]
            assert site.call("POST", "turns/batch/", {"turns": turns}).status_code == 201
        key = site.stack.manage("issue_key", "acme", "--ability", "consolidate", "--ability", "memories:read")
        site.key = key.split()[-1]
        job = site.call("POST", "consolidations/", {}).json()
        kills = 0
        deadline = time.monotonic() + 3 * WAIT_S
        while site.call("GET", f"jobs/{job['id']}/").json()["state"] != "done":
            assert time.monotonic() < deadline, site.call("GET", f"jobs/{job['id']}/").json()
            if kills < KILLS and marked(site) > kills * TURNS:
                kills += 1
                with site.without("worker"):
                    pass
            time.sleep(0.1)
        assert kills == KILLS
        with psycopg.connect(site.stack.superuser_dsn, dbname="mneme") as server:
            decided = server.execute("SELECT episode_id, count(*) FROM consolidation_decision GROUP BY 1").fetchall()
            facts = server.execute(
                "SELECT count(*), sum(frequency) FROM memories_memory WHERE predicate = 'likes'"
            ).fetchone()
            homes = server.execute(
                "SELECT status, count(*) FROM memories_memory WHERE predicate = 'lives_in' GROUP BY 1"
            ).fetchall()
        assert len(decided) == 4 * TURNS
        assert {count for _, count in decided} == {2}
        assert facts == (4 * TURNS, 4 * TURNS)
        assert dict(homes) == {"active": 4, "superseded": 4 * (TURNS - 1)}


def marked(site: Site) -> int:
    """Return how many episodes are read."""
    with psycopg.connect(site.stack.superuser_dsn, dbname="mneme") as server:
        row = server.execute("SELECT count(*) FROM memories_memory WHERE consolidated_by IS NOT NULL").fetchone()
    return int(row[0]) if row else 0
