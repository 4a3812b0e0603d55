"""The engine and the embedder this site is set up with."""

from django.conf import settings

from backends.embedders.base import Embedder
from backends.embedders.connect import connect as connect_embedder
from backends.search.base import SearchEngine
from backends.search.connect import connect as connect_search


def search_engine() -> SearchEngine:
    """Return the search engine of SEARCH_URL; connections are made on first use."""
    return connect_search(settings.SEARCH_URL)


def embedder() -> Embedder:
    """Return the embedder named by EMBEDDER; a bundled model is loaded on first use."""
    return connect_embedder(settings.EMBEDDER)
