"""Read a tenant's policy."""

from tenants.models import PolicyVersion
from tenants.policy import DEFAULT, Policy


def policy_of() -> Policy:
    """Return the policy of the tenant whose scope is open."""
    latest = PolicyVersion.objects.order_by("-version").values_list("version", "said").first()
    return DEFAULT if latest is None else Policy.of(latest[1], version=latest[0])


def policy_at(version: int) -> Policy:
    """Return an earlier version of the policy. The scope is open. Raises PolicyVersion.DoesNotExist."""
    if version == 0:
        return DEFAULT
    held = PolicyVersion.objects.get(version=version)
    return Policy.of(held.said, version=held.version)
