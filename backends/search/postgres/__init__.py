"""Postgres as a search engine: BM25 in SQL over postings, exact vector scan, isolation by role and token."""
