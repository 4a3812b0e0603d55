"""What a user says, then sleep, then what is believed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.utils import timezone

from consolidation.services.due import asked
from consolidation.services.work import Worked, work
from tenants.scope import Ability
from tests.conftest import Caller, login


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A user of a tenant, who speaks through the API and is asked about through it."""

    caller: Caller
    user_id: str

    def say(self, content: str, **fields: Any) -> dict[str, Any]:
        """Say one turn."""
        return self.caller.turn(content, user_id=self.user_id, **fields)

    def get(self, path: str, **query: Any) -> Any:
        """Ask for a page of a list."""
        answer = self.caller.client.get(f"/api/v1/{path}", {"user_id": self.user_id, "limit": 200, **query})
        assert answer.status_code == 200, answer.content
        return answer.json()["results"]

    def facts(self, **query: Any) -> list[dict[str, Any]]:
        """Return the semantic memories, oldest first; active ones, unless a status is named."""
        found = self.get("memories/", memory_type="semantic", **{"status": "active", **query})
        return list(reversed(found))

    def texts(self, **query: Any) -> list[str]:
        """Return the texts of the facts."""
        return [fact["text"] for fact in self.facts(**query)]

    def decisions(self, **query: Any) -> list[dict[str, Any]]:
        """Return the decisions, oldest first."""
        return list(reversed(self.get("decisions/", **query)))


@pytest.fixture
def agent(acme: Caller) -> Caller:
    """Return a caller of acme whose key may consolidate and review too."""
    return acme.holding(abilities=[ability for ability in Ability if ability not in {Ability.MEMBERS_MANAGE}])


@pytest.fixture
def ada(agent: Caller) -> Person:
    """Return a user of acme."""
    return Person(caller=agent, user_id="ada")


@pytest.fixture
def sleep(record: None) -> Callable[[], Worked]:
    """Return a function that does what the worker does with all that waits."""

    def run() -> Worked:
        with login("mneme_worker"):
            return work(asked(None), clock=timezone.now)

    return run
