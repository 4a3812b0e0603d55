"""From turns and questions with evidence to conversations: what is no turn of a user's is no gold."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from benchmarks.recall_quality.conversations import Conversation, Question, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question as a set has it; evidence: ids of turns."""

    text: str
    category: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A conversation, and how many ids of its evidence were left out, and questions without any."""

    conversation: Conversation
    dropped: int
    not_user: int
    unanswerable: int


def put_together(name: str, turns: Sequence[Turn], asked: Iterable[Asked], *, tenant: str, user_id: str) -> Told:
    """Return a conversation with the questions that a user's turn answers."""
    roles = {turn.id: turn.role for turn in turns}
    questions: list[Question] = []
    dropped = not_user = unanswerable = 0
    for index, one in enumerate(asked):
        evidence = list(dict.fromkeys(one.evidence))
        gold = tuple(turn for turn in evidence if roles.get(turn) == "user")
        dropped += sum(turn not in roles for turn in evidence)
        not_user += sum(roles.get(turn, "user") != "user" for turn in evidence)
        unanswerable += not gold
        if gold:
            questions.append(Question(index=index, text=one.text, category=one.category, gold=gold))
    return Told(
        conversation=Conversation(
            id=name,
            turns=tuple(turns),
            questions=tuple(questions),
            ended_at=max(turn.occurred_at for turn in turns) + timedelta(days=1),
            tenant=tenant,
            user_id=user_id,
        ),
        dropped=dropped,
        not_user=not_user,
        unanswerable=unanswerable,
    )
