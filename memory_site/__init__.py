"""Composition: settings, urls, ASGI, Celery, the table of errors, the local stack."""
