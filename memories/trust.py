"""Trust: how far what a memory rests on is believed, by where it comes from."""

from collections.abc import Iterable
from enum import StrEnum

from memories.roles import Role


class Trust(StrEnum):
    """From the least to the most.

    WEB: pages, files, imports, whatever somebody else wrote. TOOL: what a tool or an assistant said. USER: the
    person's own words. OPERATOR: written with a key of the tenant, resting on no turn.
    """

    WEB = "web"
    TOOL = "tool"
    USER = "user"
    OPERATOR = "operator"

    @property
    def rank(self) -> int:
        """Return its place, 0 = the least trusted."""
        return _ORDER.index(self)


_ORDER = tuple(Trust)
OF_ROLES = {Role.USER: Trust.USER, Role.ASSISTANT: Trust.TOOL, Role.TOOL: Trust.TOOL}
"""The most that a turn of a role is trusted; whoever sends it may say less."""


def least(trusts: Iterable[str], *, default: Trust) -> Trust:
    """Return the least of some trusts; the default where there is none."""
    return min((Trust(trust) for trust in trusts), key=lambda trust: trust.rank, default=default)


VALUES = [trust.value for trust in Trust]
CHOICES = [(value, value) for value in VALUES]
CHOICES_OF_TURNS = [(trust.value, trust.value) for trust in Trust if trust is not Trust.OPERATOR]
