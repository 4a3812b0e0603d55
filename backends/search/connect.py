"""From a URL to a search engine."""

from functools import cache
from urllib.parse import urlsplit

from backends.search.base import SearchEngine
from backends.search.native import NOTHING, Native


@cache
def connect(url: str, *, pool_size: int = 10, isolation: str = "document", native: Native = NOTHING) -> SearchEngine:
    """Return the engine of a URL, one a process; connections are made on first use.

    pool_size: connections to Postgres that the process keeps for it at most; 0 = none.
    isolation: what keeps tenants apart in Elasticsearch: document or index; Postgres has the one way.
    native: what is asked of Elasticsearch's own; Postgres has nothing of its own.
    Raises ValueError, when no engine goes by that scheme.
    """
    scheme = urlsplit(url).scheme
    if scheme in {"postgresql", "postgres"}:
        from backends.search.postgres.engine import PostgresEngine

        return PostgresEngine(url, pool_size=pool_size)
    if scheme in {"http", "https"}:
        from backends.search.elasticsearch.engine import ElasticsearchEngine

        return ElasticsearchEngine(url, isolation=isolation, native=native)
    raise ValueError("SEARCH_URL: must begin with postgresql:// or http(s)://")
