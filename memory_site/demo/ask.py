"""Asking the demo's questions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memory_site.demo.client import Api, Recalled
from memory_site.demo.samples import Question


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question as asked of one tenant, and the answer."""

    question: Question
    tenant: str
    answer: Recalled

    @property
    def is_foreign(self) -> bool:
        """Whether it was asked of a tenant that it is not about."""
        return self.tenant != self.question.tenant


def ask(questions: Sequence[Question], apis: Mapping[str, Api]) -> Iterator[Asked]:
    """Ask each question of its tenant and, where it says so, of another tenant for the same user id.

    Of turns only: they are all that a replay makes.
    """
    for question in questions:
        for tenant in filter(None, (question.tenant, question.also_ask)):
            body = {
                "query": question.text,
                "user_id": question.user_id,
                "top_k": question.top_k,
                "memory_types": ["episodic"],
            }
            yield Asked(question=question, tenant=tenant, answer=apis[tenant].recall(body))
