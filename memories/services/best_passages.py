"""Which passage of each long row of an answer fits the question best."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import numpy as np

from backends.embedders.packing import packed_length, unpack
from backends.search.analysis import has_terms, question_terms
from backends.search.base import Statistics
from memories.documents.searched_text import is_long
from memories.passages import Span, passages
from memories.relevance import coverage
from memories.services.searched import SEARCHED

WORDS = 0.06
"""What all of the question's words are worth beside a cosine, of which .03 is a usual difference: so the passage that
has a code or a name of the question comes before one that means about the same."""


def best_passages(
    rows: Sequence[Any], question: str, vector: Sequence[float] | None, *, model: str, known: Statistics
) -> dict[UUID, Span]:
    """Return the span of each long row. The scope is open.

    By cosine and words; by words alone where the passages have no vectors yet, or the question has none; of equals
    the first. vector: the question's, by the model. known: counts of the reach.
    """
    long = [row for row in rows if is_long(row)]
    cosines = passage_cosines(long, vector, model=model) if vector is not None else {}
    asked = question_terms(question)
    found: dict[UUID, Span] = {}
    for row in long:
        measured = cosines.get(row.id) or dict.fromkeys(passages(row.text), 0.0)
        found[row.id] = max(
            measured,
            key=lambda span, row=row, measured=measured: (  # type: ignore[misc]
                measured[span] + WORDS * coverage(asked, has_terms(row.text[slice(*span)], asked), known, place=0)
            ),
        )
    return found


def passage_cosines(rows: Sequence[Any], vector: Sequence[float], *, model: str) -> dict[UUID, dict[Span, float]]:
    """Return the cosine of each passage that has its vector by the model. rows: long ones. The scope is open.

    Vectors of another length, which only a fault can have left, must not cost the answer.
    """
    asked = np.asarray(vector, dtype=np.float32)
    found: dict[UUID, dict[Span, float]] = {}
    for searched in {id(SEARCHED[row.kind]): SEARCHED[row.kind] for row in rows}.values():
        if searched.passages is None:
            continue
        own = {f"{searched.owner}__in": [row.id for row in rows if SEARCHED[row.kind] is searched], "model": model}
        held = searched.passages._default_manager.filter(**own).values_list(searched.owner, "spans", "vectors")
        for row_id, places, packed in held:
            spans = list(zip(places[::2], places[1::2], strict=True))
            if len(packed) == packed_length(len(spans), dimensions=len(asked)):
                cosines = unpack(bytes(packed), dimensions=len(asked)) @ asked
                found[row_id] = dict(zip(spans, cosines.tolist(), strict=True))
    return found
