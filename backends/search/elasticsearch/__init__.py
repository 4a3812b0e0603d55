"""Elasticsearch as a search engine: BM25, kNN, isolation by API keys with document-level security."""
