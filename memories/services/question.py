"""Question: what a caller asks of recall."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question; None restricts nothing.

    top_k: how many memories at most, 1 to 100. overlay: also look at what the engine cannot show yet.
    """

    query: str
    user_id: str | None = None
    top_k: int = 10
    valid_at: datetime | None = None
    session_id: str | None = None
    agent_id: str | None = None
    overlay: bool = True
