"""What every test of an engine stands on: two tenants of its own, and the ways to fill and ask the engine."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from backends.search import names
from backends.search.base import Candidate, Query, SearchEngine
from backends.search.changes import Change, State
from backends.search.reach import Credential, Reach


class EngineCase:
    """Tests of one engine. A subclass gives the fixture `engine`, whose indexes or tables are there."""

    @pytest.fixture
    def mine(self) -> Reach:
        """Return a tenant of its own for the test."""
        return Reach(tenant_id=uuid4(), subject_id=None, kinds=(names.EPISODIC,))

    @pytest.fixture
    def theirs(self) -> Reach:
        """Return another tenant."""
        return Reach(tenant_id=uuid4(), subject_id=None, kinds=(names.EPISODIC,))

    def grant(self, engine: SearchEngine, reach: Reach) -> Credential:
        """Return a fresh credential."""
        return engine.grant(reach, name="contract", expires_at=datetime.now(UTC) + timedelta(hours=1))

    def put(self, engine: SearchEngine, *changes: Change) -> list[State]:
        """Apply and make visible."""
        outcomes = engine.apply(changes)
        engine.refresh()
        return [outcome.state for outcome in outcomes]

    def find(
        self,
        engine: SearchEngine,
        reach: Reach,
        text: str,
        *,
        using: Credential | None = None,
        vector: Sequence[float] | None = None,
        **options: Any,
    ) -> dict[UUID, Candidate]:
        """Search and return the candidates by id."""
        query = Query(reach=reach, text=text, vector=vector, **options)
        answer = engine.search(query, using=using or self.grant(engine, reach))
        return {candidate.id: candidate for candidate in answer.candidates}
