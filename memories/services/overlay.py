"""The overlay: what the engine cannot show yet, scored on the engine's scale and merged into its pool."""

from backends.search.analysis import question_terms
from backends.search.base import Answer, Candidate, Statistics
from memories.bm25 import CountedText, TermCounter, lexical_scores
from memories.documents.searched_text import searched_text
from memories.lines import dated
from memories.services.prepare_recall import Fresh, Prepared

_NOTHING_KNOWN = Statistics(documents=0, frequencies={})


def merged(answer: Answer, prepared: Prepared, query: str) -> list[Candidate]:
    """Return the engine's candidates with the overlay's in the place of its own copies of the same memories."""
    if not prepared.overlay:
        return list(answer.candidates)
    fresh = _scored(prepared, query, answer.statistics or _NOTHING_KNOWN)
    fresh_ids = {candidate.id for candidate in fresh}
    return [*(c for c in answer.candidates if c.id not in fresh_ids), *fresh]


def _scored(prepared: Prepared, query: str, known: Statistics) -> list[Candidate]:
    counter = TermCounter()
    texts = [_counted(counter, item) for item in prepared.overlay]
    scores = lexical_scores(question_terms(query), texts, known=known, window_weight=prepared.weights.window)
    return [
        Candidate(
            id=item.memory.id,
            kind=item.memory.memory_type,
            session_id=item.memory.session_id,
            author=item.memory.author,
            lexical=score,
            dense=item.dense,
        )
        for item, score in zip(prepared.overlay, scores, strict=True)
    ]


def _counted(counter: TermCounter, item: Fresh) -> CountedText:
    memory = item.memory
    return CountedText(
        turn=counter.count(searched_text(memory)),
        window=counter.count(dated(memory.context, memory.valid_from)),
    )
