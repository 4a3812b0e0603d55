"""The engine and the models this site is set up with."""

from django.conf import settings

from backends.embedders.base import Embedder
from backends.embedders.connect import connect as connect_embedder
from backends.embedders.http import Server
from backends.rerankers.base import Reranker
from backends.rerankers.connect import ELASTICSEARCH
from backends.rerankers.connect import connect as connect_reranker
from backends.rerankers.http import Server as RerankerServer
from backends.rerankers.http import Shape
from backends.search.base import SearchEngine
from backends.search.connect import connect as connect_search
from backends.search.native import Native
from backends.token_encoders.base import TokenEncoder
from backends.token_encoders.connect import connect as connect_encoder


def search_engine() -> SearchEngine:
    """Return the search engine of SEARCH_URL; connections are made on first use."""
    own = settings.RERANKER.startswith(ELASTICSEARCH)
    return connect_search(
        settings.SEARCH_URL,
        pool_size=settings.DATABASE_POOL_SIZE,
        isolation=settings.ISOLATION,
        native=Native(
            fusion=settings.ELASTICSEARCH_FUSION == "native",
            semantic=settings.ELASTICSEARCH_SEMANTIC,
            rerank=settings.RERANKER.removeprefix(ELASTICSEARCH) if own else "",
        ),
    )


def embedder() -> Embedder:
    """Return the embedder named by EMBEDDER; a bundled model is loaded on first use."""
    if settings.EMBEDDER == "bundled":
        return connect_embedder(settings.EMBEDDER)
    server = Server(
        url=settings.EMBEDDER,
        model=settings.EMBEDDER_MODEL,
        dimensions=settings.EMBEDDER_DIMENSIONS,
        api_key=settings.EMBEDDER_API_KEY,
        query_prefix=settings.EMBEDDER_QUERY_PREFIX,
        passage_prefix=settings.EMBEDDER_PASSAGE_PREFIX,
    )
    return connect_embedder(settings.EMBEDDER, server)


def token_encoder() -> TokenEncoder | None:
    """Return the model of late interaction named by LATE_MODEL; None where there is none. Loaded on first use."""
    return connect_encoder(settings.LATE_MODEL)


def reranker() -> Reranker | None:
    """Return the cross-encoder named by RERANKER; None where there is none."""
    server = RerankerServer(
        url=settings.RERANKER,
        model=settings.RERANKER_MODEL,
        shape=Shape(settings.RERANKER_SHAPE),
        api_key=settings.RERANKER_API_KEY,
    )
    if settings.RERANKER.startswith(ELASTICSEARCH):
        return connect_reranker(settings.RERANKER, engine=search_engine())
    return connect_reranker(settings.RERANKER, server if "://" in settings.RERANKER else None)
