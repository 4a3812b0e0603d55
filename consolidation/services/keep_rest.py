"""Keep the rest: what a saying still says once another has taken the place of a part of it."""

from datetime import datetime

from backends.search import names
from consolidation.rules.candidate import SAYS
from consolidation.rules.judgement import Held
from consolidation.rules.sayings.meets import rest_of
from memories.models import Memory, Source
from memories.sayings import words_of_saying
from memories.services.learn import learn
from memories.services.new_memory import NewMemory, Span
from tenants.scope import Scope

RULE = "saying.rest"


def keep_rest(scope: Scope, old: Held, said: str, *, now: datetime) -> Memory | None:
    """Learn what is left of a saying that was closed, with its turns as evidence; None where nothing is.

    said: what took its place. The scope is open.
    """
    words = words_of_saying(old.text)
    rest = rest_of(words, said)
    if not rest:
        return None
    row = Memory.objects.get(id=old.id)
    edges = Source.objects.filter(memory_id=old.id, turn_id__isnull=False, voided_at__isnull=True).order_by("id")
    spans = tuple(
        Span(turn_id=edge.turn_id, start=edge.span_start or 0, end=edge.span_end) for edge in edges if edge.turn_id
    )
    new = NewMemory(
        text=old.text.replace(words, rest),
        memory_type=names.SEMANTIC,
        predicate=SAYS,
        importance=row.importance,
        confidence=row.confidence,
        metadata=row.metadata,
        valid_from=row.valid_from,
        spans=spans,
        method=RULE,
    )
    return learn(scope, new, now=now).memory
