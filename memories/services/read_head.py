"""Read the best placed rows, and tell which of them repeat another and what speaks for each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from backends.search.analysis import has_terms, question_terms
from backends.search.base import Statistics
from memories.chinese import has_chinese
from memories.documents.searched_text import searched_text, window_text
from memories.fusion import is_code
from memories.models import Memory
from memories.near_duplicates import parts_of, same_as, turns_behind
from memories.ranking import Placed, Pool, Read, exchanged
from memories.relevance import SCORED, Evidence, coverage
from memories.services.any_of import AnyOf
from memories.services.question import Question
from memories.services.restricted import restricted
from memories.services.searched import Key, ids_by_table, of_tables
from tenants.scope import Scope

SPARE = 5
"""Rows read beyond what is answered: for what repeats another, and to be told of as near misses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """rows: by key, as read. read: what reading them told. gone: confirmed a moment before, not there any more."""

    rows: Mapping[Key, Any]
    read: Read
    gone: frozenset[UUID]


def read_head(
    scope: Scope,
    placed: Sequence[Placed],
    pool: Pool,
    question: Question,
    kinds: Sequence[str],
    *,
    known: Statistics,
    drop_repeats: bool,
    hides_window: bool,
    now: datetime,
) -> Head:
    """Read down the order until the answer is full, and a few rows more. The scope is open.

    known: counts of the reach, for how telling each term of the question is.
    """
    confirmed = [one for one in placed if one.id in pool.traits]
    wanted = question.top_k + SPARE
    rows: dict[Key, Any] = {}
    seen: list[tuple[Placed, Any]] = []
    repeats: Mapping[UUID, UUID] = {}
    instead: Mapping[UUID, UUID] = {}
    copies: frozenset[UUID] = frozenset()
    gone: frozenset[UUID] = frozenset()
    for start in range(0, len(confirmed), wanted):
        part = confirmed[start : start + wanted]
        rows.update(confirmed_rows(scope, [key_of(one) for one in part], question, kinds, now=now))
        seen = [(one, rows[key_of(one)]) for one in confirmed[: start + wanted] if key_of(one) in rows]
        if drop_repeats:
            instead = turns_behind(_texts(seen))
            seen = [(one, rows[key_of(one)]) for one in exchanged([one for one, _ in seen], instead)]
        copies = _copies(seen)
        left = [(one, row) for one, row in seen if one.id not in copies]
        repeats = _repeats(left) if drop_repeats else {}
        gone = frozenset(one.id for one in confirmed[: start + wanted] if key_of(one) not in rows)
        if len(left) - len(repeats) >= question.top_k:
            break
    asked, chinese = question_terms(question.query), has_chinese(question.query)
    head = [(one, row) for one, row in seen if one.id not in copies and one.id not in repeats]
    evidence = {
        one.id: replace(_evidence(one, row, asked, pool, known, hides_window=hides_window), chinese=chinese)
        for one, row in head[:SCORED]
    }
    return Head(rows=rows, read=Read(repeats=repeats, copies=copies, evidence=evidence, instead=instead), gone=gone)


def key_of(one: Placed) -> Key:
    """Return the kind and id of a candidate's row."""
    return one.ranked.candidate.kind, one.id


def confirmed_rows(
    scope: Scope, keys: Sequence[Key], question: Question, kinds: Sequence[str], *, now: datetime
) -> dict[Key, Any]:
    """Return the rows of the keys that the record confirms. The scope is open."""
    ids = ids_by_table(keys)
    found: dict[Key, Any] = {}
    for rows in restricted(scope, question, of_tables(ids, kinds), now=now):
        found.update({(row.kind, row.id): row for row in rows.filter(AnyOf("id", ids[rows.model]))})
    return found


def _copies(seen: Sequence[tuple[Placed, Any]]) -> frozenset[UUID]:
    """Return those that are a row's restored copy, or the row a copy was made of, behind the other."""
    lineages: set[UUID] = set()
    copies = set()
    for one, row in seen:
        lineage = getattr(row, "restores_id", None) or one.id
        if lineage in lineages:
            copies.add(one.id)
        lineages.add(lineage)
    return frozenset(copies)


def _repeats(left: Sequence[tuple[Placed, Any]]) -> Mapping[UUID, UUID]:
    """Return which rows say what a better placed one does, or a sentence of it."""
    return {**parts_of(_texts(left)), **same_as((one.id, row.kind, _said(row)) for one, row in left)}


def _texts(rows: Sequence[tuple[Placed, Any]]) -> list[tuple[UUID, str, str]]:
    return [(one.id, row.kind, row.text) for one, row in rows if isinstance(row, Memory)]


def _said(row: Any) -> str:
    """Return what a row says: a turn with who said it, since two who say the same are two."""
    if isinstance(row, Memory):
        return f"{row.author} {row.entity_id or ''} {row.text}"
    return searched_text(row)


def _evidence(
    one: Placed, row: Any, asked: Sequence[str], pool: Pool, known: Statistics, *, hides_window: bool
) -> Evidence:
    candidate = one.ranked.candidate
    turn = has_terms(searched_text(row), asked)
    window = turn if hides_window else has_terms(window_text(row), asked)
    return Evidence(
        cosine=candidate.dense,
        late=pool.signals.late.get(one.id),
        turn=coverage(asked, turn, known, place=0),
        window=coverage(asked, window, known, place=0),
        code=any(is_code(term) and pool.signals.rarities.get(term) for term in candidate.rare_terms),
    )
