"""What the cluster's licence lets stand of the engine's wall."""

from elasticsearch import Elasticsearch

DOCUMENT_SECURITY = frozenset({"platinum", "enterprise", "trial"})
"""Licences with document- and field-level security. Source: Elastic subscriptions page."""


def isolation_faults(client: Elasticsearch, *, by_document: bool) -> list[str]:
    """Return which walls the engine does not give, each with what to do."""
    held = client.license.get()["license"]
    licence, live = str(held["type"]), held["status"] == "active"
    enough = live and licence in DOCUMENT_SECURITY
    state = licence if live else f"{licence}, {held['status']}"
    if by_document and not enough:
        return [
            f"no search is answered: Elasticsearch's licence ({state}) has no document-level security, on which the"
            " engine's wall stands. Get a Platinum or Enterprise licence, or set ISOLATION=index and run reindex"
        ]
    if not by_document:
        return [
            "ISOLATION=index: the engine keeps tenants apart, but not the users of one tenant, nor compartments:"
            " between these stand the query's wall and the record's alone. ISOLATION=document adds the engine's, with"
            f" a Platinum or Enterprise licence (here: {state})"
        ]
    return []
