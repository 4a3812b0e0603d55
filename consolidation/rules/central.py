"""Central: the sentences of a conversation that say most of what all of them say; English and Chinese alike.

A sentence is as central as it is like the others (cosine of their terms, rare ones weighing more), a little more so when
it has a number or a name; one that repeats what was chosen already waits behind. Source: Erkan & Radev, "LexRank", JAIR
2004 (degree centrality), with maximal marginal relevance (Carbonell & Goldstein, SIGIR 1998).
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import regex

from backends.search.analysis import terms
from consolidation.rules.masks import MASK, masked
from memories.instructions import instructs

SENTENCES_MAX = 400
"""Looked at of one conversation, so that the comparison of each with each stays short."""
TERMS_MIN = 3
"""A sentence of fewer is a greeting or a yes."""
TELLING = 0.15
"""What a number or a name in the middle adds. Set by us."""
LIKE = 0.6
"""How much likeness to what was chosen takes away. Set by us."""
_SENTENCE = regex.compile(r"(?:[^.!?。！？；\n]|(?<=\b(?:Dr|Mr|Mrs|Ms|St|No|Prof))\.|\.(?=\S))+[.!?。！？；]*")
_ASKS = regex.compile(r"[?？]\s*$|[吗呢]\s*[。？]?\s*$")
_TELLING = regex.compile(r"\d|(?<=[\p{L}\p{N}][ ,])[A-Z]\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One sentence. turn: which of the texts; start, end: in it, half-open, in code points."""

    turn: int
    start: int
    end: int
    text: str


def central(turns: Sequence[str], *, at_most: int) -> list[Part]:
    """Return the most central sentences of texts, in the order in which they were said; none from what only asks.

    Quotations, code, and whatever tells the memory what to do are passed over.
    """
    parts = _parts(turns)[:SENTENCES_MAX]
    if not parts:
        return []
    vectors = _vectors([part.text for part in parts])
    likeness = [[_cosine(one, other) for other in vectors] for one in vectors]
    worth = [
        sum(row) / len(row) + (TELLING if _TELLING.search(part.text) else 0.0)
        for row, part in zip(likeness, parts, strict=True)
    ]
    chosen: list[int] = []
    while len(chosen) < min(at_most, len(parts)):
        left = [index for index in range(len(parts)) if index not in chosen]
        best = max(
            left, key=lambda at: (worth[at] - LIKE * max((likeness[at][one] for one in chosen), default=0.0), -at)
        )
        if any(likeness[best][one] > 0.95 for one in chosen):
            break
        chosen.append(best)
    return [parts[index] for index in sorted(chosen)]


def _parts(turns: Sequence[str]) -> list[Part]:
    found = []
    for turn, content in enumerate(turns):
        if instructs(content):
            continue
        own = masked(content)
        for match in _SENTENCE.finditer(own):
            start = match.start() + len(match[0]) - len(match[0].lstrip())
            text = content[start : match.end()].rstrip()
            said = own[start : start + len(text)]
            if MASK not in said and not _ASKS.search(text) and len(set(terms(text))) >= TERMS_MIN:
                found.append(Part(turn=turn, start=start, end=start + len(text), text=text))
    return found


def _vectors(texts: Sequence[str]) -> list[dict[str, float]]:
    """Return the terms of each text with their weights, of length 1."""
    counted = [Counter(terms(text)) for text in texts]
    held = Counter(term for count in counted for term in count)
    vectors = []
    for count in counted:
        vector = {term: times * (1 + math.log(len(texts) / held[term])) for term, times in count.items()}
        length = math.sqrt(sum(weight**2 for weight in vector.values())) or 1.0
        vectors.append({term: weight / length for term, weight in vector.items()})
    return vectors


def _cosine(one: dict[str, float], other: dict[str, float]) -> float:
    short, long = sorted((one, other), key=len)
    return sum(weight * long.get(term, 0.0) for term, weight in short.items())
