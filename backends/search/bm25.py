"""The constants of BM25, the same in every engine and in the overlay.

Source: Robertson & Zaragoza, The Probabilistic Relevance Framework, 2009; Lucene's defaults.
"""

K1 = 1.2
"""How soon a further occurrence of a term adds little (unitless)."""
B = 0.75
"""How much a long text counts for less, in [0, 1]."""
