"""Intent acts: the verbs of the record that an intent goes through, each with the line of its receipt."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from backends.search import names
from consolidation.models.receipt import Act, Doing
from consolidation.models.review_item import ReviewKind
from consolidation.rules.candidate import Candidate
from consolidation.rules.judgement import Judgement
from consolidation.services.acts import acts_of
from consolidation.services.ask_about import ask_about
from consolidation.services.beside import beside
from memories.models import Memory, Source
from memories.models.memory import MEMORY_TEXT_MAX_LENGTH, Status
from memories.models.source import SourceRelation
from memories.services.learn import learn
from memories.services.new_memory import NewMemory
from memories.services.repeat import repeat
from memories.services.retract import retract
from memories.trust import Trust
from tenants.scope import Scope


@dataclass(slots=True, kw_only=True)
class Doer:
    """Acts for one user in one open scope, and keeps count.

    said_in: turns' memories, and summaries, that still say what was forgotten, beside other things.
    """

    scope: Scope
    subject_id: UUID
    now: datetime
    acts: list[Act] = field(default_factory=list)
    said_in: list[UUID] = field(default_factory=list)

    def learn(self, new: NewMemory, *, candidate: Candidate | None = None, judged: Judgement | None = None) -> Memory:
        """Write a memory in the user's own words; one that instructs its reader waits for a review.

        candidate, judged: what it was made of; what gives way with what it replaces goes too.
        """
        learned = learn(self.scope, replace(new, trust=Trust.USER), now=self.now)
        memory = learned.memory
        if not learned.created:
            self._note_repeated(memory.id, trusted=learned.trusted)
        elif new.supersedes_id is not None:
            self.acts.append(Act(doing=Doing.SUPERSEDED, row=memory.id, other=new.supersedes_id))
        else:
            self.acts.append(Act(doing=Doing.LEARNED, row=memory.id))
        if learned.created and memory.status == Status.QUARANTINED:
            ask_about(self.scope, memory, ReviewKind.INSTRUCTION, now=self.now)
        if candidate is not None and judged is not None and learned.created and memory.status == Status.ACTIVE:
            gone = beside(self.scope, memory, candidate, judged, now=self.now)
            self.acts += [Act(doing=Doing.SUPERSEDED, row=memory.id, other=one) for one in gone.closed]
            self.acts += [Act(doing=Doing.LEARNED, row=rest.memory_id) for rest in gone.rests]
        return memory

    def note(self, text: str, *, supersedes_id: UUID | None = None, suspect: bool = False) -> Memory:
        """Write what no rule takes apart, as it was said."""
        return self.learn(
            NewMemory(
                text=text[:MEMORY_TEXT_MAX_LENGTH],
                memory_type=names.SEMANTIC,
                supersedes_id=None if suspect else supersedes_id,
                suspect=suspect,
            )
        )

    def repeat(self, memory_id: UUID) -> None:
        """Count that a memory was said once more."""
        trusted = Memory.objects.values_list("trust", flat=True).get(id=memory_id)
        repeat(self.scope, memory_id, spans=[], now=self.now)
        self._note_repeated(memory_id, trusted=trusted)

    def forget(self, memory: Memory) -> None:
        """Retract a memory, and the turns that said nothing else that is believed."""
        edges = Source.objects.filter(memory_id=memory.id, turn__isnull=False)
        turns = list(edges.exclude(relation=SourceRelation.SUPERSEDES).values_list("turn_id", flat=True))
        self.acts += acts_of(retract(self.scope, memory.id, now=self.now))
        episodes = Memory.objects.filter(
            turn_id__in=turns, memory_type=names.EPISODIC, status=Status.ACTIVE, subject_id=self.subject_id
        )
        for episode in list(episodes.order_by("id")):
            if self._says_more(episode):
                self.said_in.append(episode.id)
            else:
                self.acts += acts_of(retract(self.scope, episode.id, now=self.now))
        telling = Source.objects.filter(turn_id__in=turns, relation=SourceRelation.SUMMARISES, voided_at__isnull=True)
        summaries = Memory.objects.filter(id__in=telling.values("memory_id"), status=Status.ACTIVE)
        self.said_in += list(summaries.order_by("id").values_list("id", flat=True))

    def _says_more(self, episode: Memory) -> bool:
        edges = Source.objects.filter(Q(turn_id=episode.turn_id), voided_at__isnull=True)
        return Memory.objects.filter(id__in=edges.values("memory_id"), status=Status.ACTIVE).exists()

    def _note_repeated(self, memory_id: UUID, *, trusted: str) -> None:
        newest = Source.objects.filter(memory_id=memory_id).order_by("-recorded_at", "-id")
        rows = tuple(newest.values_list("id", flat=True)[:1])
        self.acts.append(Act(doing=Doing.REPEATED, row=memory_id, before=trusted, rows=rows))
