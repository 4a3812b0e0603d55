"""Asking a conversation's questions, one after the other, and finding the gold turns in the answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.recall_quality.conversations import Conversation, Question
from memory_site.demo.client import Api, Recalled

TOP_K = 80
WARM_UP = 10
"""Questions asked without being measured: the first ones load the embedding model into every web process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question's outcome. ranks: of each gold turn, in the order of the question's gold.

    client_ms: from sending to having read the answer. took_ms: by step, as the server says.
    """

    conversation: str
    question: Question
    ranks: tuple[int | None, ...]
    returned: int
    degraded: tuple[str, ...]
    client_ms: float
    took_ms: Mapping[str, float]


def ask_all(conversation: Conversation, api: Api, turn_ids: Mapping[str, str]) -> list[Asked]:
    """Ask every question of a conversation; turn_ids: the API's turn id -> the set's."""
    return [_ask(conversation, question, api, turn_ids) for question in conversation.questions]


def warm_up(conversation: Conversation, api: Api) -> None:
    """Ask a few questions for nothing."""
    for question in conversation.questions[:WARM_UP]:
        _recall(conversation, question, api)


def ranks_of(gold: Sequence[str], returned: Sequence[str]) -> tuple[int | None, ...]:
    """Return the rank of each gold turn, 1 = first, None = not returned."""
    places = {turn: rank for rank, turn in reversed(list(enumerate(returned, start=1)))}
    return tuple(places.get(turn) for turn in gold)


def _ask(conversation: Conversation, question: Question, api: Api, turn_ids: Mapping[str, str]) -> Asked:
    answer = _recall(conversation, question, api)
    said = [turn_ids.get(hit.turn_id, "") for hit in answer.hits]
    returned = [conversation.twins.get(turn, turn) for turn in said]
    gold = [conversation.twins.get(turn, turn) for turn in question.gold]
    return Asked(
        conversation=conversation.id,
        question=question,
        ranks=ranks_of(gold, returned),
        returned=len(returned),
        degraded=answer.degraded,
        client_ms=answer.client_ms,
        took_ms=answer.took_ms,
    )


def _recall(conversation: Conversation, question: Question, api: Api) -> Recalled:
    return api.recall(
        {
            "query": question.text,
            "user_id": conversation.user_id,
            "top_k": TOP_K,
            "valid_at": conversation.ended_at.isoformat(),
        }
    )
