"""The small talk around the stories: many turns, none of which answers a question."""

import json
import random
import string
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[1] / "data" / "lifecycle"

IN_VAIN = 2_000
"""Tries without a new sentence after which there are none."""


def small_talk(language: str, count: int, *, seed: int) -> list[str]:
    """Return so many different sentences, of every topic as many. Raises ValueError, when no more are found."""
    topics: Sequence[Mapping[str, Any]] = json.loads((DATA / "talk.json").read_text(encoding="utf-8"))[language]
    chance = random.Random(f"{language}:{seed}")  # noqa: S311 - repeatable, not secret
    said: dict[str, None] = {}
    tries = last_new = 0
    while len(said) < count:
        if tries - last_new > IN_VAIN:
            raise ValueError(f"{language}: the pieces make no {count} different sentences")
        known = len(said)
        said[_sentence(topics[tries % len(topics)], chance)] = None
        last_new = tries if len(said) > known else last_new
        tries += 1
    return list(said)


def _sentence(topic: Mapping[str, Any], chance: random.Random) -> str:
    pattern = chance.choice(topic["say"])
    wanted = {name for _, name, _, _ in string.Formatter().parse(pattern) if name}
    sentence: str = pattern.format(**{name: chance.choice(topic[name]) for name in sorted(wanted)})
    return sentence[0].upper() + sentence[1:]
