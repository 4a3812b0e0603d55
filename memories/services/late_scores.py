"""Late interaction: every word of the question looks for its best counterpart in each memory at the head.

Source: Khattab & Zaharia, "ColBERT", SIGIR 2020; the weights: design note on recall, section 3, recipe C.
"""

import math
from collections.abc import Mapping, Sequence
from uuid import UUID

import numpy as np

from backends.search.analysis import question_stops, terms
from backends.search.base import Statistics
from backends.token_encoders.base import AskedTokens, Tokens
from backends.token_encoders.packing import unpack
from memories.services.fetched import fetched

Place = tuple[UUID, int]
"""Session, and position in it."""
HEAD = 40
"""Memories compared: half of the candidates of a leg; more changed nothing on LoCoMo."""

FOLLOWS = 0.4
"""Of what the line before it has more of the question, a turn gets so much: an answer stands behind its question.

Chosen on LoCoMo's dev conversations, where 0.3 and 0.5 did as well (docs/benchmarks.md).
"""

_TOKENS = """
    SELECT t.memory_id, t.vectors, m.session_id, turn.position FROM memories_memorytokens t
        JOIN memories_memory m ON m.id = t.memory_id
        LEFT JOIN memories_turn turn ON turn.id = m.turn_id
    WHERE t.memory_id = ANY (%s) AND t.model = %s
"""


def late_scores(ids: Sequence[UUID], asked: AskedTokens, *, model: str, known: Statistics) -> dict[UUID, float]:
    """Return the score of each memory that has its tokens, in [-1, 1]. The scope is open.

    known: counts of the reach, from which each word's weight is, ln(1 + N / (1 + df)); 0 for question words, marks.
    """
    if not len(asked.words):
        return {}
    packed, places = dict[UUID, bytes](), dict[UUID, Place]()
    for memory_id, vectors, session_id, position in fetched(_TOKENS, [list(ids), model], binary=True):
        if vectors:
            packed[memory_id] = vectors
            if session_id is not None and position is not None:
                places[memory_id] = (session_id, position)
    return _following(_compared(asked.vectors, _weights(asked.words, known), packed), places)


def _following(scores: Mapping[UUID, float], places: Mapping[UUID, Place]) -> dict[UUID, float]:
    """Return the scores, each raised towards that of the line right before it, if it is among them and higher."""
    at = {place: scores[memory_id] for memory_id, place in places.items()}
    raised = dict(scores)
    for memory_id, (session_id, position) in places.items():
        before = at.get((session_id, position - 1), -1.0)
        raised[memory_id] += FOLLOWS * max(before - scores[memory_id], 0.0)
    return raised


def _compared(question: Tokens, weights: Tokens, packed: Mapping[UUID, bytes]) -> dict[UUID, float]:
    unpacked = {memory_id: unpack(found, dimensions=question.shape[1]) for memory_id, found in packed.items()}
    if not unpacked:
        return {}
    # One product for all memories: a loop over them costs more than the numbers.
    numbers = np.concatenate([numbers for numbers, _ in unpacked.values()]).astype(np.float32)
    scales = np.concatenate([scales for _, scales in unpacked.values()])
    similar = (question @ numbers.T) * scales
    starts = np.cumsum([0, *(len(numbers) for numbers, _ in unpacked.values())])[:-1]
    best = np.maximum.reduceat(similar, starts, axis=1)
    scores = weights @ best / weights.sum()
    return {memory_id: float(score) for memory_id, score in zip(unpacked, scores, strict=True)}


def _weights(words: Sequence[str], known: Statistics) -> Tokens:
    """Return each token's weight; all alike, where the question has nothing but question words."""
    of_word: dict[str, float] = {}
    for word in words:
        if word not in of_word:
            telling = [term for term in terms(word) if term not in question_stops()]
            found = [known.frequencies.get(term, (0, 0))[0] for term in telling]
            of_word[word] = max((math.log(1 + known.documents / (1 + n)) for n in found), default=0.0)
    weights = np.array([of_word[word] for word in words], dtype=np.float32)
    return weights if weights.sum() else np.ones(len(words), dtype=np.float32)
