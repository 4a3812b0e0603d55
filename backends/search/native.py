"""What an engine can do of its own beside the portable way, and what of it a site asks for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from backends.errors import Rejected

RRF, SEMANTIC, RERANK, RERANK_RETRIEVER = "rrf", "semantic_text", "rerank", "text_similarity_reranker"
MEANING = "meaning"
"""The field of type semantic_text; it holds the same text as `turn`, so whoever may see that may see this."""
INSTEAD: Mapping[str, str] = {
    RRF: "the legs are fused by the site",
    SEMANTIC: "recall has no such leg, and documents no such field",
    RERANK: "answers keep the fused order, and say degraded: reranker",
}
"""Feature that can be asked for -> what answers where it does not work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Native:
    """What a site asks of its engine's own. semantic, rerank: ids of inference endpoints; empty: not asked for."""

    fusion: bool = False
    semantic: str = ""
    rerank: str = ""

    @property
    def asked(self) -> tuple[str, ...]:
        """Return the features asked for."""
        said = {RRF: self.fusion, SEMANTIC: self.semantic, RERANK: self.rerank}
        return tuple(feature for feature, value in said.items() if value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What was found to work, each feature tried from end to end.

    faults: of a feature that was tried and does not work, why. untried: features that have no endpoint to be tried
    with.
    """

    licence: str = ""
    found: frozenset[str] = frozenset()
    faults: Mapping[str, str] = field(default_factory=dict)
    untried: tuple[str, ...] = ()

    def said(self) -> str:
        """Return all of it in a line."""
        parts = [
            f"licence {self.licence or 'unknown'}",
            *(f"{feature}: works" for feature in sorted(self.found)),
            *(f"{feature}: {fault}" for feature, fault in sorted(self.faults.items())),
            *(f"{feature}: not tried, no inference endpoint is named" for feature in self.untried),
        ]
        return "; ".join(parts)


NOTHING = Native()
"""Nothing of an engine's own."""


class HasNative:
    """An engine with something of its own, or with nothing, as here."""

    native: Native = NOTHING

    def capabilities(self) -> Capabilities | None:
        """Return what of its own works, found once a process; None for an engine that has nothing of its own.

        Raises Unavailable, Rejected or Refused (backends.errors), when the engine is away.
        """
        return None

    def native_faults(self) -> list[str]:
        """Return what was asked for and does not work, each with why, and what answers instead.

        Raises as capabilities does.
        """
        found = self.capabilities()
        known = Capabilities() if found is None else found
        return [
            f"{feature} was asked for and does not work here"
            f" ({known.faults.get(feature, 'this engine has none')}): {INSTEAD[feature]}"
            for feature in self.native.asked
            if feature not in known.found
        ]

    def rerank(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return how well each text answers the question, by the engine's own model.

        Raises Unavailable, when it does not work here; Rejected; Refused.
        """
        raise Rejected(f"this search engine has no reranker for {len(texts)} texts and a question of {len(question)}")
