"""Roles: what a user of the admin may do in one tenant."""

from collections.abc import Mapping

from django.db.models import TextChoices

from tenants.scope import Ability


class Role(TextChoices):
    """What a membership makes of a user."""

    OWNER = "owner", "Owner"
    OPERATOR = "operator", "Operator"
    COMPLIANCE = "compliance", "Compliance"
    VIEWER = "viewer", "Viewer"


_SEES = frozenset({Ability.MEMORIES_READ, Ability.PROVENANCE_READ})

ABILITIES: Mapping[str, frozenset[Ability]] = {
    Role.VIEWER: _SEES,
    Role.COMPLIANCE: _SEES | {Ability.COMPLIANCE},
    # An operator gives keys what an operator has: all but compliance and the members.
    Role.OPERATOR: frozenset(Ability) - {Ability.COMPLIANCE, Ability.MEMBERS_MANAGE},
    Role.OWNER: frozenset(Ability),
}
