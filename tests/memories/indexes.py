"""The indexes of a shared Elasticsearch, put back as other tests expect them."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from elasticsearch import Elasticsearch

from backends.search import names
from memories.documents.registry import definitions
from memories.services.engine import search_engine


@pytest.fixture
def fresh_indexes(each_engine: str) -> Iterator[None]:
    """Begin and end with empty indexes of the first generation."""
    make_anew()
    yield
    make_anew()


def generations(kind: str) -> dict[str, set[str]]:
    """Return the aliases of each index of a kind."""
    held = Elasticsearch(settings.SEARCH_URL).indices.get_alias(index=f"{names.read_alias(kind)}-v*")
    return {index: set(found["aliases"]) for index, found in held.items()}


def make_anew() -> None:
    """Delete the indexes of a shared Elasticsearch and make them as the settings say."""
    if settings.SEARCH_URL.startswith("http"):
        client = Elasticsearch(settings.SEARCH_URL)
        for kind in names.KINDS:
            for index in client.indices.get(index=f"{names.read_alias(kind)}-v*"):
                client.indices.delete(index=index)
        search_engine().ensure(definitions())
