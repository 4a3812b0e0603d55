"""Rewrite: a language model says how else a question could be asked, where the tenant's policy wants it."""

import json
import logging
import time
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from backends.errors import BackendError
from backends.llms.answers import Unreadable
from backends.llms.base import LLM, Completion
from memories.prompts import REWRITE, prompt
from memories.services.beside import beside
from memories.services.note_asked import method_of, note_asked
from memories.services.prepare_recall import Prepared
from memories.services.question import Question
from memories.weights import is_nothing_but_a_code
from memories.wordings import SCHEMA, wordings_of

log = logging.getLogger(__name__)

SPARE_S = 0.5
"""The server's own time-out beyond ours, so that its thread ends as well."""
UNREADABLE, TIMEOUT = "unreadable", "timeout"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting:
    """What came of it. queries: other wordings. code: why there are none: timeout, unreadable, or a backend's error.

    sent: whether the question was sent to the model, which is a disclosure even if nobody waited for the answer.
    """

    model: str
    provider: str
    sent: bool = True
    queries: tuple[str, ...] = ()
    code: str = ""
    answers: tuple[Completion, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A question on its way to the model. until: in time.monotonic()."""

    llm: LLM
    at_most: int
    until: float
    answer: "Future[Completion]"


def begin_rewriting(prepared: Prepared, question: Question, llm: LLM | None) -> Begun | None:
    """Ask the model in a thread of its own; None where there is none, the policy forbids it, or a code is asked."""
    policy = prepared.policy
    wanted = policy["recall.rewrite"] and policy["consolidation.external_model"]
    if llm is None or not wanted or not prepared.kinds or is_nothing_but_a_code(question.query):
        return None
    at_most, seconds = int(policy.number("recall.rewrite_queries")), policy.number("recall.rewrite_ms") / 1000
    asked = json.dumps({"question": question.query, "at_most": at_most}, ensure_ascii=False)
    answer = beside(
        lambda: llm.complete(prompt(REWRITE), asked, schema=SCHEMA, timeout_s=seconds + SPARE_S), pool="model"
    )
    return Begun(llm=llm, at_most=at_most, until=time.monotonic() + seconds, answer=answer)


def rewritten(begun: Begun | None, question: Question) -> Rewriting | None:
    """Wait until the time is up, and return the other wordings, or why there are none."""
    if begun is None:
        return None
    model, provider = method_of(begun.llm, REWRITE), begun.llm.provider
    try:
        answer = begun.answer.result(timeout=max(begun.until - time.monotonic(), 0.0))
    except TimeoutError:
        sent = not begun.answer.cancel()
        return _none(Rewriting(model=model, provider=provider, sent=sent, code=TIMEOUT))
    except BackendError as error:
        return _none(Rewriting(model=model, provider=provider, code=type(error).__name__.lower()))
    counted = Rewriting(model=model, provider=provider, answers=(answer,))
    try:
        return replace(counted, queries=wordings_of(answer.text, question.query, at_most=begun.at_most))
    except Unreadable:
        return _none(replace(counted, code=UNREADABLE))


def note_rewriting(prepared: Prepared, rewriting: Rewriting | None, *, recall_id: UUID, now: datetime) -> None:
    """Note that the question was sent to a model. The scope is open."""
    if rewriting is None or not rewriting.sent:
        return
    note_asked(
        prepared.scope,
        rewriting.answers,
        method=rewriting.model,
        provider=rewriting.provider,
        code=rewriting.code,
        object_ids=[recall_id],
        subject=prepared.subject,
        now=now,
    )


def _none(rewriting: Rewriting) -> Rewriting:
    log.warning("recall goes on with the question as asked alone: %s", rewriting.code)
    return rewriting
