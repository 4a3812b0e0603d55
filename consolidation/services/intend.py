"""Intend: what somebody asks of the memory in words is done by the verbs that callers use too.

1. The words are read by rules, and by the model where no rule understands them. 2. A question is recalled.
3. Anything else is done in one transaction, with an event and a receipt by which it can be undone; where several
facts could be meant, nothing is done and they are offered.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from backends.llms.base import LLM
from backends.search import names
from consolidation.models import Receipt
from consolidation.models.receipt import ReceiptKind, stored
from consolidation.rules.intents.asked import Asked, Verb
from consolidation.rules.intents.read import read
from consolidation.services.acts import counts_of
from consolidation.services.ask_intent import ask_intent
from consolidation.services.intended import Intended, State, rows_of
from consolidation.services.intended_before import intended_before, kept_ids
from consolidation.services.intent_acts import Doer
from consolidation.services.intent_changes import Ask, carry_out
from consolidation.services.one_at_a_time import one_at_a_time
from memories.models import Memory
from memories.services.ensure_subject import ensure_subject
from memories.services.idempotency import Idempotency, earlier_ids, remember, replayed_ids
from memories.services.moment import moment
from memories.services.question import Question
from memories.services.recall_here import recall_here
from memories.services.references import UnknownReference
from tenants.models import Subject
from tenants.scope import Ability, Scope
from tenants.services.find_subject import find_subject
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope

RETRIEVED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What was sent. memory_id: which one is meant. confirm: all that match may be forgotten."""

    text: str
    user_id: str | None = None
    memory_id: UUID | None = None
    confirm: bool = False
    dry_run: bool = False


class _DryRun(Exception):
    """Nothing of it shall stay."""


def intend(
    scope: Scope, wish: Wish, *, llm: LLM | None, idempotency: Idempotency | None = None, now: datetime
) -> Intended:
    """Do what is asked for in words, or say what would be done.

    idempotency: what it came with; what was changed under it before is told again, and nobody is asked what it means.
    Raises ScopeDenied, where the key lacks the ability for what is asked; UnknownReference, where it is not said
    whose memory is meant, or memory_id does not fit; Memory.DoesNotExist; SlotTaken, TextTaken; KeyReused,
    AnswerGone.
    """
    scope.require(Ability.MEMORIES_READ)
    if scope.subject_id is None and wish.user_id is None:
        raise UnknownReference("user_id", "name the user whose memory is meant")
    with open_scope(scope):
        before = intended_before(scope, earlier_ids(scope, idempotency))
    if before is not None:
        return before
    asked = read(wish.text)
    if asked.verb is Verb.UNCLEAR:
        asked = ask_intent(scope, wish.user_id, wish.text, llm, now=now)
    if wish.memory_id is not None:
        _check_named(scope, wish, asked)
    if asked.verb is Verb.RETRIEVE:
        return _retrieved(scope, wish, asked, now=now)
    if asked.verb is Verb.UNCLEAR or asked.everything:
        return Intended(asked=asked, state=State.REFUSED if asked.everything else State.UNCLEAR)
    return _changed(scope, wish, asked, idempotency, now=now)


def _changed(scope: Scope, wish: Wish, asked: Asked, idempotency: Idempotency | None, *, now: datetime) -> Intended:
    scope.require(Ability.MEMORIES_WRITE)
    scope.require_kind(names.SEMANTIC)
    done: list[Intended] = []
    try:
        with open_scope(scope):
            claimed = replayed_ids(scope, idempotency, now=now) is None
            before = None if claimed else intended_before(scope, earlier_ids(scope, idempotency))
            done.append(before or _done(scope, wish, asked, now=now))
            if before is None:
                remember(scope, idempotency, kept_ids(done[0]))
            if wish.dry_run:
                raise _DryRun
    except _DryRun:
        pass
    return done[0]


def _retrieved(scope: Scope, wish: Wish, asked: Asked, *, now: datetime) -> Intended:
    question = Question(query=asked.about, user_id=wish.user_id, top_k=RETRIEVED)
    recalled = recall_here(scope, question, now=now)
    return Intended(asked=asked, state=State.DONE if recalled.hits else State.NOTHING, recalled=recalled)


def _check_named(scope: Scope, wish: Wish, asked: Asked) -> None:
    """Raise Memory.DoesNotExist, unless the memory that is named is the user's own, and seen."""
    with open_scope(scope):
        try:
            subject = find_subject(scope, wish.user_id)
        except Subject.DoesNotExist:
            raise Memory.DoesNotExist from None
        own = Memory.objects.filter(Q(id=wish.memory_id), memory_type__in=scope.kinds)
        if subject is None or not own.filter(subject_id=subject.id).exists():
            raise Memory.DoesNotExist
    if asked.verb not in (Verb.FORGET, Verb.UPDATE):
        raise UnknownReference("memory_id", "goes with what is to be forgotten or changed; leave it out")


def _done(scope: Scope, wish: Wish, asked: Asked, *, now: datetime) -> Intended:
    subject = _subject(scope, wish, asked, now=now)
    if subject is None:
        return _noted(scope, Intended(asked=asked, state=State.NOTHING), now=now)
    narrowed = scope.narrowed_to(subject.id)
    with open_scope(narrowed):
        one_at_a_time(subject.id)
        now = moment(now)  # after all that those before it have written
        doer = Doer(scope=narrowed, subject_id=subject.id, now=now)
        outcome = carry_out(doer, asked, memory_id=wish.memory_id, confirm=wish.confirm)
        if isinstance(outcome, Ask):
            state = State.ASK if outcome.offered else State.NOTHING
            return _noted(
                narrowed, Intended(asked=asked, state=state, offered=outcome.offered, exact=outcome.exact), now=now
            )
        state = State.DONE if doer.acts else State.UNCLEAR if outcome is None else State.NOTHING
        receipt = _receipt(narrowed, asked, subject, doer, now=now) if doer.acts else None
        acts, rows = tuple(doer.acts), rows_of(scope, doer.acts)
        intended = Intended(asked=asked, state=state, acts=acts, rows=rows, said_in=doer.said_in, receipt=receipt)
        return _noted(narrowed, intended, now=now)


def _subject(scope: Scope, wish: Wish, asked: Asked, *, now: datetime) -> Subject | None:
    """Return whose memory is meant; a new user has nothing that could be forgotten."""
    if asked.verb is not Verb.FORGET:
        return ensure_subject(scope, wish.user_id, now=now)
    try:
        return find_subject(scope, wish.user_id)
    except Subject.DoesNotExist:
        return None


def _receipt(scope: Scope, asked: Asked, subject: Subject, doer: Doer, *, now: datetime) -> Receipt:
    return Receipt.objects.create(
        tenant_id=scope.tenant_id,
        subject_id=subject.id,
        kind=ReceiptKind.INTENT,
        verb=asked.verb.value,
        method=asked.method,
        acts=stored(doer.acts),
        key_id=scope.key_id,
        made_at=now,
    )


def _noted(scope: Scope, intended: Intended, *, now: datetime) -> Intended:
    """Note what came of an intent; its words are nowhere."""
    with open_scope(scope):
        subject = Subject.objects.filter(Q(id=scope.subject_id)).first() if scope.subject_id else None
        ids = [intended.receipt.id, *intended.rows] if intended.receipt is not None else []
        asked = intended.asked
        data: dict[str, str | int] = {"verb": asked.verb.value, "state": intended.state.value, "method": asked.method}
        data |= counts_of(intended.acts)
        note_event(scope, "intent.handled", object_ids=ids, subject=subject, data=data, now=now)
    return replace(intended, subject_id=scope.subject_id)
