"""Scopes of consolidation: the system's own, of a tenant or one of its users, in one set of compartments."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from tenants.scope import Scope
from tenants.services.create_tenant import system_scope


def tenant_scope(tenant_id: UUID, compartments: Sequence[str]) -> Scope:
    """Return the scope in which what all users share is counted."""
    return replace(system_scope(tenant_id), compartments=tuple(compartments))


def sleeping_scope(tenant_id: UUID, subject_id: UUID, compartments: Sequence[str]) -> Scope:
    """Return the scope in which one user's episodes in just these compartments are read and their facts written."""
    return tenant_scope(tenant_id, compartments).narrowed_to(subject_id)
