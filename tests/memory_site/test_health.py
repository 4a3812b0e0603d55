"""What is wrong with the embedder is said, not swallowed."""

from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from backends.embedders.bundled import BundledEmbedder
from memories.roles import Role
from memories.services.record import NewTurn, record
from memory_site import health
from tests.conftest import Caller


@pytest.fixture
def refusing(tmp_path: Path) -> BundledEmbedder:
    """Return a model whose file is no model."""
    file = tmp_path / "e5-small-q4.bin"
    file.write_bytes(b"E5S1 and no more than that")
    return BundledEmbedder(file)


def test_readiness_says_why_the_embedder_does_not_answer(
    record: None, refusing: BundledEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "embedder", lambda: refusing)
    answer = APIClient().get("/health/ready/")
    assert answer.status_code == 200
    assert "e5-small-q4.bin is not E5S1, version 1" in answer.json()["checks"]["embedder"]


def test_a_turn_without_its_early_vector_is_in_the_log(
    acme: Caller, refusing: BundledEmbedder, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMBED_IN_REQUEST_MAX_CHARS = 100
    now = timezone.now()
    turn = NewTurn(
        user_id="u1",
        session_id="s1",
        agent_id=None,
        role=Role.USER,
        speaker="",
        content="zebrafinch",
        occurred_at=now,
        metadata={},
    )
    assert record(acme.scope, [turn], embedder=refusing, now=now).turns
    assert "e5-small-q4.bin is not E5S1, version 1" in caplog.text
    assert "zebrafinch" not in caplog.text
