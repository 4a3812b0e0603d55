"""Change a tenant's policy: a new version, all or nothing."""

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db import IntegrityError, transaction

from tenants.models import PolicyVersion
from tenants.policy import Policy
from tenants.scope import Ability, Scope
from tenants.services.lock_actor import lock_actor
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope
from tenants.services.policy_of import policy_of


class PolicyStale(Exception):
    """The policy has changed since it was read."""


def get_policy(scope: Scope) -> Policy:
    """Return the tenant's policy."""
    scope.require(Ability.MEMORIES_READ)
    with open_scope(scope):
        return policy_of()


def change_policy(
    scope: Scope,
    changes: Mapping[str, object],
    *,
    reset: Collection[str] = (),
    if_version: int | None = None,
    now: datetime,
) -> Policy:
    """Change some keys and return the policy; what changes nothing makes no version.

    reset: keys that go back to their defaults. if_version: the version that was read; None takes any.
    Raises ScopeDenied, when the scope may not manage the tenant's keys or belongs to one user; PolicyInvalid;
    PolicyStale, also when another change came in between.
    """
    scope.require(Ability.KEYS_MANAGE)
    scope.require_whole_tenant("the policy is")
    with open_scope(scope):
        lock_actor(scope, now=now)
        held = policy_of()
        if if_version not in (None, held.version):
            raise PolicyStale("If-Match: the policy has changed; read it again")
        said = held.changed(changes, reset=reset)
        if said == dict(held.said):
            return held
        made = PolicyVersion(
            tenant_id=scope.tenant_id,
            version=held.version + 1,
            said=said,
            changed_at=now,
            actor=scope.actor,
            key_id=scope.key_id,
            staff_id=scope.staff_id,
        )
        try:
            with transaction.atomic():
                made.save(force_insert=True)
        except IntegrityError as error:
            raise PolicyStale("another change came in between; read the policy again") from error
        names = sorted(name for name in {*said, *held.said} if said.get(name) != held.said.get(name))
        note_event(
            scope, "policy.changed", object_ids=[made.id], data={"version": made.version, "keys": names}, now=now
        )
    return Policy.of(said, version=made.version)
