"""Keep the rest: what a saying still says once another has taken the place of a part of it."""

from datetime import datetime

from backends.search import names
from consolidation.rules.candidate import SAYS
from consolidation.rules.judgement import Held
from consolidation.rules.sayings.meets import rest_of
from consolidation.services.held import CLAIM
from memories.models import Memory, Source
from memories.models.source import SourceRelation
from memories.sayings import words_of_saying
from memories.services.add_sources import superseding
from memories.services.learn import learn
from memories.services.new_memory import REST, NewMemory, Span
from tenants.scope import Scope


def keep_rest(scope: Scope, old: Held, said: str, *, now: datetime) -> Memory | None:
    """Learn what is left of a saying that was closed, with its turns as evidence; None where nothing is.

    It goes again when the whole is believed again (memories.services.close_retracted).
    said: what took its place. The scope is open.
    """
    words = words_of_saying(old.text)
    rest = rest_of(words, said)
    if not rest:
        return None
    row = Memory.objects.get(id=old.id)
    edges = Source.objects.filter(memory_id=old.id, turn_id__isnull=False, voided_at__isnull=True)
    edges = edges.exclude(relation=SourceRelation.SUPERSEDES).order_by("id")
    spans = tuple(
        Span(turn_id=edge.turn_id, start=edge.span_start or 0, end=edge.span_end) for edge in edges if edge.turn_id
    )
    claim = row.metadata.get(CLAIM)
    known = claim if isinstance(claim, dict) else {}
    new = NewMemory(
        text=old.text.removesuffix(words) + rest,
        memory_type=names.SEMANTIC,
        predicate=SAYS,
        importance=row.importance,
        confidence=row.confidence,
        metadata={**row.metadata, CLAIM: {**known, "key": rest.casefold()}},
        valid_from=row.valid_from,
        spans=spans,
        method=REST,
    )
    learned = learn(scope, new, now=now)
    if learned.created:
        Source.objects.bulk_create([superseding(learned.memory, row, method=REST, now=now)], ignore_conflicts=True)
    return learned.memory
