"""Seed the templates of keys that every tenant begins with."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from backends.search import names
from tenants.models import KeyTemplate
from tenants.scope import Ability
from tenants.services.issue_key import AGENT_ABILITIES

_LISTENS = (Ability.TURNS_WRITE, Ability.MEMORIES_READ)
_READS = (Ability.MEMORIES_READ, Ability.PROVENANCE_READ)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """One template as it is at first; docs/operations.md shows each at work."""

    name: str
    description: str
    abilities: Sequence[Ability]
    kinds: Sequence[str] = names.KINDS
    compartments: Sequence[str] = ()
    hidden_fields: Sequence[str] = ()
    per_user: bool = False
    purpose: str
    lives_days: int | None = None


SEEDS = (
    Seed(
        name="customer-service",
        description="A support agent: writes and recalls for every customer, and keeps the catalog.",
        abilities=(*AGENT_ABILITIES, Ability.CATALOG_WRITE),
        purpose="customer service",
    ),
    Seed(
        name="healthcare-doctor",
        description="A doctor's assistant: every patient, what is for doctors only, and sensitive notes.",
        abilities=AGENT_ABILITIES,
        compartments=("doctor", "patient"),
        purpose="treatment",
    ),
    Seed(
        name="healthcare-patient",
        description="A patient's assistant: that patient only, nothing of the doctors' own, no sensitive notes.",
        abilities=_LISTENS,
        compartments=("patient",),
        hidden_fields=("sensitive_notes",),
        per_user=True,
        purpose="patient's own access",
    ),
    Seed(
        name="read-only-analyst",
        description="Reads what is known and where it came from; changes nothing, and ends after 90 days.",
        abilities=_READS,
        hidden_fields=("sensitive_notes",),
        purpose="analysis",
        lives_days=90,
    ),
    Seed(
        name="family-care-carer",
        description="A carer's assistant: the person cared for, with what is for carers and for the family.",
        abilities=AGENT_ABILITIES,
        compartments=("care", "family"),
        per_user=True,
        purpose="care",
    ),
    Seed(
        name="family-care-relative",
        description="A relative's assistant: the person cared for, without what is for carers only.",
        abilities=_LISTENS,
        compartments=("family",),
        hidden_fields=("sensitive_notes",),
        per_user=True,
        purpose="family",
    ),
)


def seed_templates(tenant_id: UUID, *, now: datetime) -> None:
    """Write the templates of a new tenant. The scope is open."""
    KeyTemplate.objects.bulk_create(
        KeyTemplate(tenant_id=tenant_id, changed_at=now, **fields(seed)) for seed in SEEDS
    )


def fields(seed: Seed) -> dict[str, Any]:
    """Return a seed as columns."""
    return {
        "name": seed.name,
        "description": seed.description,
        "per_user": seed.per_user,
        "abilities": [str(ability) for ability in seed.abilities],
        "kinds": list(seed.kinds),
        "compartments": list(seed.compartments),
        "hidden_fields": list(seed.hidden_fields),
        "purpose": seed.purpose,
        "lives_days": seed.lives_days,
    }
