"""Prompts, each in a file with its version; what a run used is in its `extractor`."""

from functools import cache
from pathlib import Path

EXTRACT = "extract-2"
INTENT = "intent-1"
JUDGE = "judge-1"
READ_DAY = "read-day-2"
SUMMARISE = "summarise-1"


@cache
def prompt(name: str) -> str:
    """Return the text of a prompt."""
    return (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8")
