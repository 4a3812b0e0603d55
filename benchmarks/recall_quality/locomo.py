"""LoCoMo's file as conversations: who said what when, and questions with the turns that answer them.

Source: Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents", ACL 2024.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.recall_quality.conversations import Conversation, DataSet, Question, Turn
from benchmarks.recall_quality.evidence import Evidence, read_evidence

CATEGORIES: Mapping[int, str] = {
    1: "multi-hop",
    2: "temporal",
    3: "open-domain",
    4: "single-hop",
    5: "adversarial",
}
DATE_FORMAT = "%I:%M %p on %d %B, %Y"
"""As in "1:56 pm on 8 May, 2023"; taken as UTC, since the set names no time zone."""
_SESSION = re.compile(r"session_(\d+)")


def load_locomo(path: Path) -> DataSet:
    """Read a file of LoCoMo's own layout, a list of conversations or a single one."""
    raw = path.read_bytes()
    held = json.loads(raw)
    read = [_conversation(sample) for sample in (held if isinstance(held, list) else [held])]
    evidence = [found for _, all_found in read for found in all_found]
    return DataSet(
        name="locomo",
        categories=tuple(CATEGORIES.values()),
        conversations=tuple(conversation for conversation, _ in read),
        repaired=sum(found.repaired for found in evidence),
        dropped=sum(found.dropped for found in evidence),
        unanswerable=sum(not found.turns for found in evidence),
        sha256=hashlib.sha256(raw).hexdigest(),
    )


def session_date(written: str) -> datetime:
    """Return a session's date as the set writes it ("1:56 pm on 8 May, 2023"), in UTC."""
    return datetime.strptime(written.strip(), DATE_FORMAT).replace(tzinfo=UTC)


def _conversation(sample: Mapping[str, Any]) -> tuple[Conversation, list[Evidence]]:
    """Return a conversation with its answerable questions, and what was read of every question's evidence."""
    turns = tuple(_turns(sample["conversation"]))
    known = {turn.id for turn in turns}
    evidence = [read_evidence(asked.get("evidence") or [], known) for asked in sample["qa"]]
    questions = tuple(
        Question(index=index, text=asked["question"], category=_category(int(asked["category"])), gold=found.turns)
        for index, (asked, found) in enumerate(zip(sample["qa"], evidence, strict=True))
        if found.turns
    )
    ended_at = max(turn.occurred_at for turn in turns) + timedelta(days=1)
    name = sample["sample_id"]
    conversation = Conversation(
        id=name, turns=turns, questions=questions, ended_at=ended_at, tenant=name, user_id=name
    )
    return conversation, evidence


def _category(number: int) -> str:
    return CATEGORIES.get(number, str(number))


def _turns(conversation: Mapping[str, Any]) -> Iterator[Turn]:
    """Yield the turns in order; a line without a word or a picture is none."""
    numbers = sorted(int(found[1]) for name in conversation if (found := _SESSION.fullmatch(name)))
    for number in numbers:
        session_id = f"session_{number}"
        occurred_at = session_date(conversation[f"{session_id}_date_time"])
        for said in conversation[session_id]:
            text = _text(said)
            if text.strip():
                yield Turn(
                    id=said["dia_id"],
                    session_id=session_id,
                    speaker=said["speaker"],
                    text=text,
                    occurred_at=occurred_at,
                )


def _text(said: Mapping[str, Any]) -> str:
    """Return what was said, with the caption of the picture that was shown."""
    text, caption = said.get("text") or "", said.get("blip_caption")
    return f"{text} [shared image: {caption}]" if caption else text
