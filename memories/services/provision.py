"""Provision: engine credentials of a new subject, ahead of its first recall."""

import logging
from datetime import datetime
from uuid import UUID

from backends.errors import BackendError
from backends.search.base import SearchEngine
from tenants.models import ApiKey, Subject
from tenants.scope import Ability
from tenants.services.authenticate import KeyRefused, is_live, scope_of
from tenants.services.create_tenant import system_scope
from tenants.services.engine_credential import engine_credential
from tenants.services.open_scope import open_scope

log = logging.getLogger(__name__)


def provision(tenant_id: UUID, subject_id: UUID, *, engine: SearchEngine, now: datetime) -> int:
    """Mint what the tenant's live keys need to recall for a subject; return how many keys are ready.

    Best effort: recall mints what is missing, so a failing engine only costs the first recall some time.
    """
    with open_scope(system_scope(tenant_id)):
        if not Subject.objects.filter(id=subject_id).exists():
            return 0
        keys = [
            key
            for key in ApiKey.objects.filter(subject_id__isnull=True, revoked_at__isnull=True)
            if is_live(key, now=now) and Ability.MEMORIES_READ in key.abilities
        ]
    ready = 0
    for key in keys:
        try:
            engine_credential(scope_of(key, request_id="").narrowed_to(subject_id), engine, now=now)
            ready += 1
        except (BackendError, KeyRefused, ValueError) as error:  # ValueError: a key that no scope can be made of
            log.warning(
                "key %s has no credential for subject %s yet: %s", key.prefix, subject_id, type(error).__name__
            )
    return ready
