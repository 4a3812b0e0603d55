from collections import Counter
from datetime import UTC, datetime

import pytest

from memory_site.demo.replay import batch_key, body, turn_key
from memory_site.demo.samples import TENANTS, Question, SampleSession, Send, load_questions, load_sessions

SESSIONS = load_sessions()
QUESTIONS = load_questions()
TURNS = [turn for session in SESSIONS for turn in session.turns]
WRITTEN = datetime(2026, 11, 1, tzinfo=UTC)


def test_there_is_enough_to_show() -> None:
    assert 12 <= len(SESSIONS) <= 20
    assert 120 <= len(TURNS) <= 200
    assert {session.tenant for session in SESSIONS} == set(TENANTS)
    assert {turn.role for turn in TURNS} == {"user", "assistant", "tool"}
    assert {session.send for session in SESSIONS} == set(Send)


def test_ids_are_unique() -> None:
    for ids in ([turn.id for turn in TURNS], [session.id for session in SESSIONS], [asked.id for asked in QUESTIONS]):
        assert [one for one, times in Counter(ids).items() if times > 1] == []


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.id)
def test_a_session_goes_forward_in_time_with_offsets(session: SampleSession) -> None:
    moments = [turn.occurred_at for turn in session.turns]
    assert all(moment.tzinfo is not None for moment in moments)
    assert moments == sorted(moments)
    assert moments[-1] < WRITTEN


def test_sessions_come_in_the_order_in_which_they_began() -> None:
    began = [session.turns[0].occurred_at for session in SESSIONS]
    assert began == sorted(began)


def test_both_tenants_use_the_same_external_ids() -> None:
    seen = {tenant: {(s.user_id, s.session_id) for s in SESSIONS if s.tenant == tenant} for tenant in TENANTS}
    assert seen["acme"] & seen["globex"] == {("u-1001", "s-2026-03"), ("u-1001", "s-2026-06")}


def test_one_session_of_a_tenant_is_told_once() -> None:
    places = Counter((session.tenant, session.user_id, session.session_id) for session in SESSIONS)
    assert max(places.values()) == 1


def test_every_write_has_its_own_idempotency_key() -> None:
    keys = [batch_key(session) for session in SESSIONS if session.send is Send.BATCH]
    keys += [turn_key(turn) for session in SESSIONS if session.send is Send.ONE_BY_ONE for turn in session.turns]
    assert len(keys) == len(set(keys))


def test_a_turn_says_only_what_there_is_to_say() -> None:
    shared = next(session for session in SESSIONS if session.user_id is None)
    assert "user_id" not in body(shared, shared.turns[0])
    unnamed = next(session for session in SESSIONS if not session.turns[0].speaker)
    assert "speaker" not in body(unnamed, unnamed.turns[0])


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_an_expected_turn_can_be_recalled_by_who_asks(question: Question) -> None:
    reachable = {
        turn.id
        for session in SESSIONS
        if session.tenant == question.tenant and session.user_id in (question.user_id, None)
        for turn in session.turns
        if turn.role == "user"
    }
    assert question.expect
    assert set(question.expect) <= reachable


def test_a_question_to_another_tenant_can_find_nothing_there() -> None:
    foreign = [question for question in QUESTIONS if question.also_ask]
    assert foreign
    for question in foreign:
        assert question.also_ask in set(TENANTS) - {question.tenant}
        users = {session.user_id for session in SESSIONS if session.tenant == question.also_ask}
        assert users & {question.user_id, None} == set()
