"""The one interface of every search engine, and the values that cross it."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from backends.search.attack import Finding, Target
from backends.search.changes import Change, IndexDefinition, Outcome
from backends.search.digests import Held
from backends.search.filters import Filter
from backends.search.native import HasNative
from backends.search.reach import Credential, HeldCredential, Reach
from backends.search.rebuilt import Rebuilt

PORTABLE = "portable"
"""How the legs are fused where the site does it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Restrictions within a reach; None restricts nothing.

    valid_at: only documents with valid_from <= valid_at < valid_to (open where null). One that was superseded is in
        when its own time, up to ended_at, holds valid_at.
    as_of: what was believed then: accepted_at <= as_of < closed_at; None: what is believed now (closed_at null).
    judged_at: documents with expires_at <= judged_at are out, and, without valid_at, those whose valid_to has passed.
        An engine may judge up to a minute earlier: the record judges exactly.
    own_only: without what belongs to no subject, but for the catalog, which is nobody's.
    superseded: also documents that were superseded by then, and those whose valid_to has passed.
    archived: also documents that were closed by then without a successor; the record tells archived from retracted.
    filters: the caller's own condition, in every leg; documents too old to be judged by it are in.
    """

    valid_at: datetime | None = None
    as_of: datetime | None = None
    judged_at: datetime | None = None
    superseded: bool = False
    archived: bool = False
    own_only: bool = False
    filters: Filter | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One question to an engine.

    text: the question as asked; the engine analyses it.
    vector: the question's embedding, L2-normalised, or None when there is none (no dense leg).
    author: the participant asked about; documents by them earn own_bonus when picking lexical candidates.
    candidates: length of each leg's list (80: Source: design note on recall, recipe B).
    window_weight: factor of the window field's BM25 beside the turn field's 1.
    own_bonus: added to the lexical score for ranking only; on Lucene's scale (no k1 + 1 factor) 2 / 2.2.
    rare_at_most: a term that so few documents of the reach have in their turn is rare; documents with one always join
        the pool, since whoever asks by a code or a name wants the one that has it.
    without: documents that are passed over and not counted, since the caller has a newer copy of each.
    also: documents that join the pool if they are in reach, found by other ways than words and vectors.
    dense_weight, semantic_weight, rank_constant: of an engine that chooses the pool by its own reciprocal ranks.
    """

    reach: Reach
    text: str
    vector: Sequence[float] | None
    author: str | None = None
    where: Where = Where()
    candidates: int = 80
    window_weight: float = 2.0
    own_bonus: float = 0.9
    rare_at_most: int = 3
    without: tuple[UUID, ...] = ()
    also: tuple[UUID, ...] = ()
    dense_weight: float = 0.8
    semantic_weight: float = 0.8
    rank_constant: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One document of the pool (the union of both legs), with both legs' numbers filled in.

    lexical: BM25(turn) + window_weight * BM25(window) on Lucene's scale, without own_bonus; 0 if no term matches.
    dense: cosine of question and document in [-1, 1]; None if the document or the question has no vector.
    rare_terms: the question's terms in its turn that at most rare_at_most documents have there.
    semantic: nearness by a model of the engine's own, on its scale; None where there is none.
    """

    id: UUID
    kind: str
    session_id: UUID | None
    author: str
    lexical: float
    dense: float | None
    rare_terms: tuple[str, ...] = ()
    semantic: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Counts over the reach, for scoring documents the engine does not have yet on the engine's scale.

    turn_length, window_length: average number of terms of the two fields; None where there is nothing.
    frequencies: analysed term -> (documents with it in turn, documents with it in window).
    """

    documents: int
    frequencies: Mapping[str, tuple[int, int]]
    turn_length: float | None = None
    window_length: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a search found, and the counts behind its scores. took_ms: part -> milliseconds as seen from here.

    legs: what was asked. fusion: "portable", or the engine's own by name. missing: legs that were to be asked, and
    did not answer.
    """

    candidates: tuple[Candidate, ...]
    took_ms: Mapping[str, float]
    statistics: Statistics
    legs: tuple[str, ...] = ()
    fusion: str = PORTABLE
    missing: tuple[str, ...] = ()


class SearchEngine(Rebuilt, HasNative):
    """A search engine that keeps tenants apart by its own means.

    Every method raises Unavailable, Rejected or Refused (backends.errors) and nothing else of the engine's.
    """

    name: str
    visible_after_s: float
    """Seconds after which an applied change is visible to every search; 0 = at once."""

    @abstractmethod
    def ensure(self, definitions: Sequence[IndexDefinition]) -> None:
        """Create what is missing (indexes, aliases, tables); change nothing that is there."""

    @abstractmethod
    def ping(self) -> None:
        """Return when the engine answers and holds its indexes; raise Unavailable otherwise."""

    @abstractmethod
    def apply(self, changes: Sequence[Change]) -> list[Outcome]:
        """Write or remove documents under external versions; one outcome a change, in the same order.

        A version at or below the engine's own for that document leaves the document as it is (STALE). A document that
        the engine cannot store, or is too large for it, is REJECTED alone, whatever else is in the batch.
        Raises Unavailable or Refused, when the engine took nothing for reasons of its own.
        """

    @abstractmethod
    def versions(self, tenant_id: UUID, kind: str, ids: Sequence[UUID], *, upcoming: bool = False) -> dict[UUID, int]:
        """Return the version held of each document; documents the engine does not hold are left out.

        upcoming: in the generation that is being built, in place of the one that is searched.
        """

    @abstractmethod
    def scan(self, tenant_id: UUID, kind: str, *, upcoming: bool = False) -> Iterator[Held]:
        """Yield every document of a tenant and kind with its version, in no order; upcoming: as above."""

    @abstractmethod
    def tenants(self, kind: str) -> set[UUID]:
        """Return the tenants that have a document of a kind, in whatever generation, after a refresh."""

    @abstractmethod
    def highest_version(self) -> int:
        """Return the highest version of any document, 0 if there is none."""

    @abstractmethod
    def search(self, query: Query, *, using: Credential) -> Answer:
        """Return the pool of both legs, read with the credential's rights and restricted to query.reach.

        Raises Refused, when the credential is unknown, expired, revoked or has no right to the kinds.
        """

    @abstractmethod
    def count(self, reach: Reach) -> int:
        """Return how many documents the site's own credential sees in a reach, after a refresh."""

    @abstractmethod
    def count_of_subject(self, tenant_id: UUID, subject_id: UUID) -> int:
        """Return how many documents of a subject the engine holds, of any kind and compartment, after a refresh."""

    @abstractmethod
    def count_of_tenant(self, tenant_id: UUID) -> int:
        """Return how many documents of a tenant the engine holds, of any kind and compartment, after a refresh."""

    @abstractmethod
    def purge(self, tenant_id: UUID) -> None:
        """Remove all that the engine holds of a tenant that is gone, marks of removed documents included.

        For a tenant that nobody writes for any more: a late change would bring its document back.
        """

    @abstractmethod
    def expunge(self) -> None:
        """Drop what removed documents left behind in the engine's files, as far as the engine can be made to."""

    @abstractmethod
    def refresh(self) -> None:
        """Make every applied change visible to search now."""

    @abstractmethod
    def grant(self, reach: Reach, *, name: str, expires_at: datetime) -> Credential:
        """Mint a read-only credential for a reach; what the engine stored is read back and checked.

        name: begins with names.CREDENTIAL_PREFIX, or credentials() will not list it.

        Raises Rejected, when the engine holds anything but what was asked (the credential is revoked first).
        """

    @abstractmethod
    def reach_of(self, credential_id: str) -> Reach | None:
        """Return what the engine itself says a live credential may read; None if unknown, expired or revoked."""

    @abstractmethod
    def credentials(self) -> Iterator[HeldCredential]:
        """Yield every credential that grant has minted under names.CREDENTIAL_PREFIX and nobody has revoked."""

    @abstractmethod
    def revoke(self, credential_ids: Sequence[str]) -> None:
        """Revoke credentials; returns only when the engine has confirmed every one (already revoked is fine).

        Raises Unavailable, when the engine did not confirm in time: the caller tries again.
        """

    @abstractmethod
    def attack(self, target: Target, *, using: Credential, victim_key: str) -> list[Finding]:
        """Try every way past the query that the engine's protocol knows, with a credential; say what came of each.

        victim_key: id of another's credential, which must outlive the attack.
        """

    def isolation_faults(self) -> list[str]:
        """Return which walls this engine does not give as it is set up, each with what to do; empty when all stand.

        Raises Unavailable, when the engine is away.
        """
        return []
