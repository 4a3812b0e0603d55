"""Unite: entities that the table of names knows to be one become one; what only looks alike never does."""

from datetime import datetime

from django.db.models import Q

from consolidation.models import Receipt, Run
from consolidation.models.receipt import ReceiptKind
from consolidation.rules.things import PERSON, THING, Thing
from consolidation.services.merge import ALIAS_TABLE
from consolidation.services.try_merge import try_merge
from memories.models import Entity
from tenants.scope import Scope

ANY_COMPANY = ("company", "organisation", "organization", "brand", THING)
"""What callers and models say for a sort of company that the table knows better."""


def unite(scope: Scope, run: Run, thing: Thing, *, why: str = ALIAS_TABLE, now: datetime) -> bool:
    """Merge the entities that go by names of one known thing into the oldest; say whether there were any.

    why: who knows it: the table of names, or a model that was told so in words.
    Two that somebody has parted are not merged again; two that contradict each other stay two. The run's
    scope is open.
    """
    if thing.entity_type == PERSON or not thing.aliases:
        return False
    names = [thing.name, *thing.aliases]
    named = Q(name__in=names) | Q(aliases__overlap=names)
    rows = Entity.objects.filter(named, subject_id=run.subject_id, compartments=run.compartments)
    known = list(
        rows.filter(entity_type__in=[thing.entity_type, *ANY_COMPANY], closed_at__isnull=True).order_by("id")
    )
    parted = Receipt.objects.filter(kind=ReceiptKind.MERGE, undone_at__isnull=False)
    apart = set(parted.filter(root_id__in=[one.id for one in known]).values_list("root_id", flat=True))
    united = False
    for other in known[1:]:
        if other.id in apart or known[0].id in apart:
            continue
        united |= try_merge(scope, run, known[0].id, other.id, why=why, now=now)
    return united
