"""Intents: what was understood and done, in plain words and by id, as JSON."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from rest_framework import serializers

from consolidation.forms.derived import DoneAnswer, rendered_act
from consolidation.forms.intent_words import words
from consolidation.models import Receipt
from consolidation.models.receipt import Act, Doing
from consolidation.rules.intents.asked import Verb
from consolidation.services.intended import Intended, State
from consolidation.services.told import Told
from memories.forms.answers import MemoryAnswer, RecallAnswer
from memories.forms.hit import rendered as rendered_recall
from memories.forms.memory import rendered as rendered_memory
from memories.models import Memory
from tenants.forms.moments import iso
from tenants.scope import Scope

Plain = serializers.Serializer[Any]


class IntentDoneAnswer(DoneAnswer):
    """One thing that was done, with the memory's words."""

    text = serializers.CharField(allow_null=True)


class IntentAnswer(Plain):
    """What was understood, and what came of it."""

    id = serializers.UUIDField(allow_null=True, help_text="To undo it; null where nothing was changed.")
    verb = serializers.ChoiceField(choices=[(verb.value, verb.value) for verb in Verb])
    state = serializers.ChoiceField(
        choices=[(state.value, state.value) for state in State],
        help_text="ask: several memories could be meant and nothing was done; unclear: nobody understood it; "
        "refused: it is not done in words.",
    )
    method = serializers.CharField(allow_blank=True, help_text="The rule or model that understood it.")
    dry_run = serializers.BooleanField()
    said = serializers.CharField(help_text="The same in plain words, in the language of the text.")
    done = IntentDoneAnswer(many=True)
    candidates = MemoryAnswer(many=True, help_text="What could be meant: send one's id as memory_id.")
    said_in = serializers.ListField(
        child=serializers.UUIDField(),
        help_text="Memories of turns, and summaries, that still say it among other things.",
    )
    recall = RecallAnswer(allow_null=True, help_text="The answer to a question.")


class IntentReceiptAnswer(Plain):
    """What an intent did, after it was undone."""

    id = serializers.UUIDField()
    verb = serializers.ChoiceField(choices=[(verb.value, verb.value) for verb in Verb])
    done = DoneAnswer(many=True)
    left = DoneAnswer(many=True, help_text="What stayed as it is, since it had changed meanwhile.")
    made_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField()


def rendered_intent(scope: Scope, intended: Intended, *, text: str, dry_run: bool) -> dict[str, Any]:
    """Return what came of an intent. New rows of a dry run have no ids: there are none."""
    recalled = intended.recalled
    return {
        "id": str(intended.receipt.id) if intended.receipt is not None and not dry_run else None,
        "verb": intended.asked.verb.value,
        "state": intended.state.value,
        "method": intended.asked.method,
        "dry_run": dry_run,
        "said": words(intended, text=text, dry_run=dry_run),
        "done": [_act(act, intended.rows, dry_run=dry_run) for act in intended.acts if act.doing is not Doing.VOIDED],
        "candidates": [rendered_memory(scope, memory) for memory in intended.offered],
        "said_in": [str(memory_id) for memory_id in intended.said_in],
        "recall": rendered_recall(scope, recalled, explain=False) if recalled is not None else None,
    }


def rendered_undone(receipt: Receipt, told: Told, left: Sequence[Act]) -> dict[str, Any]:
    """Return an intent that was undone, as far as the key sees the memories."""
    return {
        "id": str(receipt.id),
        "verb": receipt.verb,
        "done": [rendered_act(act) for act in told.acts],
        "left": [rendered_act(act) for act in left if act in told.acts],
        "made_at": iso(receipt.made_at),
        "undone_at": iso(receipt.undone_at) if receipt.undone_at else None,
    }


_NEW = {Doing.LEARNED, Doing.SUPERSEDED, Doing.CORRECTED, Doing.ENDED, Doing.REVIVED, Doing.RESTORED}


def _act(act: Act, rows: Mapping[UUID, Memory], *, dry_run: bool) -> dict[str, Any]:
    row = rows.get(act.row) if act.row is not None else None
    answer = rendered_act(act)
    if dry_run and act.doing in _NEW:
        answer["memory_id"] = None
    if rows:
        answer["text"] = row.text if row is not None else None
    return answer
