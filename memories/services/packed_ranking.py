"""The input of a ranking as bytes, and back, so that an old answer can be computed again bit for bit."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from backends.search.base import Candidate
from memories.fusion import Signals
from memories.periods import Period
from memories.ranking import Pool, Read
from memories.relevance import Evidence
from memories.weighing import Asked, Traits
from memories.weights import Weights

FORM = 1
"""Of the packing; another form needs another reader. What an older log lacks counts as nothing."""
_SCORES = ("graph", "late", "rerank", "rewrite")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """All that an answer was made of. scores: of the answer, best first. wordings: other ones it was asked in."""

    pool: Pool
    read: Read
    weights: Weights
    top_k: int
    threshold: float
    scores: tuple[float, ...]
    wordings: tuple[str, ...] = ()


def pack(kept: Kept) -> bytes:
    """Return a ranking's input as compressed JSON; numbers come back as they were, to the last bit."""
    signals = kept.pool.signals
    body = {
        "form": FORM,
        "weights": asdict(kept.weights),
        "top_k": kept.top_k,
        "threshold": kept.threshold,
        "scores": kept.scores,
        "candidates": [_listed(candidate) for candidate in kept.pool.candidates],
        "author": signals.author,
        "rarities": dict(signals.rarities),
        **{name: _by_text(getattr(signals, name)) for name in _SCORES},
        "added": sorted(map(str, signals.added)),
        "wordings": kept.wordings,
        "traits": {str(key): _traits(traits) for key, traits in kept.pool.traits.items()},
        "asked": {
            "at": kept.pool.asked.at.isoformat(),
            "period": None
            if kept.pool.asked.period is None
            else [kept.pool.asked.period.start.isoformat(), kept.pool.asked.period.end.isoformat()],
            "kinds": sorted(kept.pool.asked.kinds),
        },
        "repeats": {str(one): str(other) for one, other in kept.read.repeats.items()},
        "copies": sorted(map(str, kept.read.copies)),
        "instead": {str(one): str(other) for one, other in kept.read.instead.items()},
        "evidence": {str(key): asdict(found) for key, found in kept.read.evidence.items()},
    }
    return zlib.compress(json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode(), level=1)


def unpack(packed: bytes) -> Kept:
    """Return what pack was given. Raises ValueError, when the bytes are of another form."""
    body: dict[str, Any] = json.loads(zlib.decompress(packed))
    if body["form"] != FORM:
        raise ValueError(f"form {body['form']} of a ranking is not known here")
    asked = body["asked"]
    period = None if asked["period"] is None else Period(start=_at(asked["period"][0]), end=_at(asked["period"][1]))
    return Kept(
        pool=Pool(
            candidates=tuple(map(_candidate, body["candidates"])),
            signals=Signals(
                author=body["author"],
                rarities=body["rarities"],
                added=frozenset(map(UUID, body.get("added", ()))),
                **{name: _by_id(body.get(name, {})) for name in _SCORES},
            ),
            traits={UUID(key): _unlisted(held) for key, held in body["traits"].items()},
            asked=Asked(at=_at(asked["at"]), period=period, kinds=frozenset(asked["kinds"])),
        ),
        read=Read(
            repeats={UUID(one): UUID(other) for one, other in body["repeats"].items()},
            copies=frozenset(map(UUID, body["copies"])),
            instead={UUID(one): UUID(other) for one, other in body.get("instead", {}).items()},
            evidence={UUID(key): Evidence(**found) for key, found in body["evidence"].items()},
        ),
        weights=Weights(**body["weights"]),
        top_k=body["top_k"],
        threshold=body["threshold"],
        scores=tuple(body["scores"]),
        wordings=tuple(body.get("wordings", ())),
    )


def _listed(candidate: Candidate) -> list[Any]:
    session = None if candidate.session_id is None else str(candidate.session_id)
    return [
        str(candidate.id), candidate.kind, session, candidate.author, candidate.lexical, candidate.dense,
        list(candidate.rare_terms), candidate.semantic,
    ]  # fmt: skip


def _candidate(listed: list[Any]) -> Candidate:
    object_id, kind, session, author, lexical, dense, rare_terms, *later = listed
    return Candidate(
        id=UUID(object_id),
        kind=kind,
        session_id=None if session is None else UUID(session),
        author=author,
        lexical=lexical,
        dense=dense,
        rare_terms=tuple(rare_terms),
        semantic=later[0] if later else None,
    )


def _traits(traits: Traits) -> list[Any]:
    since = None if traits.since is None else traits.since.isoformat()
    return [
        traits.kind, since, traits.confidence, traits.importance, traits.recalls, traits.source_type,
        traits.successes, traits.failures,
    ]  # fmt: skip


def _unlisted(listed: list[Any]) -> Traits:
    kind, since, confidence, importance, recalls, source_type, successes, failures = listed
    return Traits(
        kind=kind,
        since=None if since is None else _at(since),
        confidence=confidence,
        importance=importance,
        recalls=recalls,
        source_type=source_type,
        successes=successes,
        failures=failures,
    )


def _by_text(scores: Mapping[UUID, float]) -> dict[str, float]:
    return {str(key): score for key, score in scores.items()}


def _by_id(scores: Mapping[str, float]) -> dict[UUID, float]:
    return {UUID(key): score for key, score in scores.items()}


def _at(written: str) -> datetime:
    return datetime.fromisoformat(written)
