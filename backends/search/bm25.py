"""The constants of BM25, the same in every engine and in the overlay.

Source: Robertson & Zaragoza, The Probabilistic Relevance Framework, 2009; Lucene's defaults.
"""

import math

K1 = 1.2
"""How soon a further occurrence of a term adds little (unitless)."""
B = 0.75
"""How much a long text counts for less, in [0, 1]."""


def idf(frequency: int, documents: int) -> float:
    """Return the weight of a term that `frequency` of `documents` have.

    Counted at two moments there may be more documents with a term than there were at all: none is below 0.
    """
    return math.log(1 + (max(documents, frequency) - frequency + 0.5) / (frequency + 0.5))
