"""From a URL to a search engine."""

from functools import cache
from urllib.parse import urlsplit

from backends.search.base import SearchEngine


@cache
def connect(url: str) -> SearchEngine:
    """Return the engine of a URL, one a process; connections are made on first use.

    Raises ValueError, when no engine goes by that scheme.
    """
    scheme = urlsplit(url).scheme
    if scheme in {"postgresql", "postgres"}:
        from backends.search.postgres.engine import PostgresEngine

        return PostgresEngine(url)
    if scheme in {"http", "https"}:
        from backends.search.elasticsearch.engine import ElasticsearchEngine

        return ElasticsearchEngine(url)
    raise ValueError("SEARCH_URL: must begin with postgresql:// or http(s)://")
