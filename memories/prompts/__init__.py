"""Prompts, each in a file with its version; what a recall used is in its event `model.asked`."""

from functools import cache
from pathlib import Path

REWRITE = "rewrite-1"


@cache
def prompt(name: str) -> str:
    """Return the text of a prompt."""
    return (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8")
