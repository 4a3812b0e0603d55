"""All conversations as users of one tenant: nobody's questions find what another said."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.place import Place
from benchmarks.recall_quality.asking import TOP_K
from benchmarks.recall_quality.conversations import Conversation
from benchmarks.recall_quality.ingest import ingest
from memory_site.demo.client import Api

TENANT, NEIGHBOUR = "isolation", "isolation-neighbour"
GREETING = "Good morning, this is the first thing that I tell you."


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolation:
    """What was asked and seen. asked: questions, each as one who is not the one it is about.

    answered: of these, answers with any hit. foreign: hits of what another user or tenant said. own: questions that
    the right user asked and that found their turns among the first TOP_K; of own_asked. degraded: answers.
    """

    asked: int
    answered: int
    foreign: tuple[str, ...]
    own: int
    own_asked: int
    degraded: int


def isolate(place: Place, conversations: Sequence[Conversation]) -> Isolation:
    """Tell all conversations to one tenant, a user each, and ask every question as every other user and tenant.

    The other tenant has users of the same names, who have said one thing each. Raises ApiFailed.
    """
    told = [_of_one_tenant(conversation) for conversation in conversations]
    with Api(place.url, place.keys[TENANT]) as api, Api(place.url, place.keys[NEIGHBOUR]) as neighbour:
        turn_ids = ingest(told, {TENANT: api}).turn_ids
        for conversation in told:
            neighbour.record({"user_id": conversation.user_id, "session_id": "first", "content": GREETING})
        neighbour.wait_until_searchable(within_s=60)
        own_turns = {conversation.user_id: set(turn_ids[conversation.id]) for conversation in told}
        counts, foreign = {"asked": 0, "answered": 0, "own": 0, "own_asked": 0, "degraded": 0}, []
        for conversation in told:
            for question in conversation.questions:
                gold = {turn for turn, known in turn_ids[conversation.id].items() if known in question.gold}
                for asker, through in [*((one.user_id, api) for one in told), (conversation.user_id, neighbour)]:
                    answer = through.recall({"user_id": asker, "query": question.text, "top_k": TOP_K})
                    counts["degraded"] += bool(answer.degraded)
                    allowed = own_turns[asker] if through is api else set()
                    foreign += [
                        f"{conversation.id} {question.index} as {asker}: {hit.turn_id}"
                        for hit in answer.hits
                        if hit.turn_id not in allowed and (through is api or hit.text != GREETING)
                    ]
                    if through is api and asker == conversation.user_id:
                        counts["own_asked"] += 1
                        counts["own"] += any(hit.turn_id in gold for hit in answer.hits)
                    else:
                        counts["asked"] += 1
                        counts["answered"] += bool(answer.hits)
    return Isolation(foreign=tuple(foreign), **counts)


def isolation_line(found: Isolation) -> str:
    """Return the line that other programs read."""
    return (
        f"isolation asked={found.asked} with_hits={found.answered} foreign={len(found.foreign)} "
        f"own_found={found.own}/{found.own_asked} degraded={found.degraded}"
    )


def _of_one_tenant(conversation: Conversation) -> Conversation:
    return Conversation(
        id=conversation.id,
        turns=conversation.turns,
        questions=conversation.questions,
        ended_at=conversation.ended_at,
        tenant=TENANT,
        user_id=f"{conversation.tenant} {conversation.user_id}",
    )
