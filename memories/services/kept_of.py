"""Say what is kept of a subject, before it is erased."""

from dataclasses import dataclass
from uuid import UUID

from memories.models import Entity, Memory, Session, Turn
from tenants.models import ApiKey, Subject
from tenants.scope import Ability, Scope
from tenants.services.open_scope import open_scope

_TABLES = (("sessions", Session), ("turns", Turn), ("memories", Memory), ("entities", Entity), ("keys", ApiKey))


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Of whom, and how many rows of each sort."""

    user_id: str
    counts: dict[str, int]


def kept_of(scope: Scope, subject_id: UUID) -> Kept:
    """Return how many rows of a subject the scope sees; those in compartments are erased too, and not counted.

    Raises ScopeDenied, when the scope may not erase; Subject.DoesNotExist.
    """
    scope.require(Ability.COMPLIANCE)
    with open_scope(scope):
        subject = Subject.objects.get(id=subject_id)
        counts = {noun: rows._default_manager.filter(subject_id=subject_id).count() for noun, rows in _TABLES}
        return Kept(user_id=subject.external_id, counts=counts)
