"""The overlay: what the engine cannot show yet, scored on the engine's scale and merged into its pool."""

from backends.search.analysis import question_terms
from backends.search.base import Answer, Candidate, Statistics
from memories.bm25 import Measured, TermCounter, lexical_scores, rarities
from memories.lines import line, stamp
from memories.models import Memory
from memories.services.prepare_recall import Prepared

RARE_AT_MOST = 3
"""A term that so few memories have in their turn is rare; the engine is asked with the same number."""
_NOTHING_KNOWN = Statistics(documents=0, frequencies={})


def merged(answer: Answer, prepared: Prepared, query: str) -> list[Candidate]:
    """Return the engine's candidates with the overlay's in the place of its own copies of the same memories."""
    if not prepared.overlay:
        return list(answer.candidates)
    fresh = _scored(prepared, query, answer.statistics or _NOTHING_KNOWN)
    fresh_ids = {candidate.id for candidate in fresh}
    return [*(c for c in answer.candidates if c.id not in fresh_ids), *fresh]


def _scored(prepared: Prepared, query: str, known: Statistics) -> list[Candidate]:
    asked = question_terms(query)
    counter = TermCounter(asked)
    measured = [_measured(counter, item.memory) for item in prepared.overlay]
    scores = lexical_scores(asked, measured, known=known, window_weight=prepared.weights.window)
    rare = rarities(asked, measured, known=known, at_most=RARE_AT_MOST)
    return [
        Candidate(
            id=item.memory.id,
            kind=item.memory.memory_type,
            session_id=item.memory.session_id,
            author=item.memory.author,
            lexical=score,
            dense=item.dense,
            rarity=sum(rare[term] for term in rare.keys() & fields.turn.frequencies.keys()),
        )
        for item, score, fields in zip(prepared.overlay, scores, measured, strict=True)
    ]


def _measured(counter: TermCounter, memory: Memory) -> Measured:
    """Measure the fields of a memory's document, line by line as memories.documents puts them together."""
    own = line(memory.author, memory.text)
    return Measured(
        turn=counter.measure([stamp(own, memory.valid_from), own]),
        window=counter.measure([stamp(memory.context, memory.valid_from), *memory.context.split("\n")]),
    )
