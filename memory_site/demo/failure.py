"""What the client says when the API did not do what was asked."""

from typing import Any

import httpx


class ApiFailed(Exception):
    """The API did not do what was asked. The message is one sentence for a person.

    status: the HTTP status, or None when no answer came.
    """

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


def complaint(answer: httpx.Response, request: str) -> str:
    """Return the server's own words about a refused request, with the fields at fault."""
    problem = json_object(answer)
    detail = problem.get("detail") or problem.get("title") or answer.reason_phrase
    errors = problem.get("errors") or []
    fields = "; ".join(f"{error['field']} {error['message']}" for error in errors)
    said = f"{detail} ({fields})" if fields else str(detail)
    return f"{request} was answered with {answer.status_code}: {said}"


def json_object(answer: httpx.Response) -> dict[str, Any]:
    """Return the JSON object of an answer's body; an empty one if it holds anything else."""
    try:
        found = answer.json()
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
