"""Faults that settings are known for: another embedder breaks every write, or old vectors are measured with the new.

docs/known-faults.md says which report each one is about.
"""

from collections.abc import Callable

import pytest
from django.conf import settings

from memories.models import MemoryVector
from tenants.services.open_scope import open_scope
from tests.conftest import Caller
from tests.embedding_server import KEY, embedding_server

Drain = Callable[[], None]


@pytest.mark.parametrize("dimensions", [384, 128])
def test_another_embedder_breaks_no_write_and_mixes_no_vectors(acme: Caller, drain: Drain, dimensions: int) -> None:
    """Under another name, or under settings that promise another length than its server's."""
    acme.turn("The otter is called Bramble", session_id="before")
    drain()
    names = ("EMBEDDER", "EMBEDDER_MODEL", "EMBEDDER_API_KEY", "EMBEDDER_DIMENSIONS")
    before = {name: getattr(settings, name) for name in names}
    with embedding_server() as server:
        try:
            values = (server.url, "e5-remote", KEY, dimensions)
            for name, value in zip(names, values, strict=True):
                setattr(settings, name, value)
            acme.turn("The heron is called Quill", session_id="after")
            drain()
            for query, text in (
                ("otter Bramble", "The otter is called Bramble"),
                ("heron Quill", "The heron is called Quill"),
            ):
                for overlay in (True, False):
                    answer = acme.recall(query, overlay=overlay)
                    assert answer["results"][0]["text"] == text
                    assert answer["degraded"] == ([] if dimensions == 384 else ["embedder"])
        finally:
            for name, value in before.items():
                setattr(settings, name, value)
    with open_scope(acme.scope):
        models = sorted(MemoryVector.objects.values_list("model", flat=True))
    assert ("e5-remote" in models) is (dimensions == 384)
