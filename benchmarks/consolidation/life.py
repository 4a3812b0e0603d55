"""A scripted life: thousands of turns of one user, of which few say anything new; what is true is counted along."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from benchmarks.consolidation.labelled import Conversation, LabelledTurn

SEED = 20260601
NEW, AGAIN = 0.04, 0.26
"""Share of turns that say something new, and of those that say something known; the rest is talk."""

_TALK = (
    "Thanks!", "Good morning.", "ok", "Can you help me with something?", "What's the weather like?", "Sounds good to me.", "No worries.",
    "Could you summarise that?", "I see.", "Hm, let me think.", "That's funny.", "Why is that?", "How long does it take?", "Great, see you.",
    "My colleague lives in Oslo.", "If I were rich, I'd live in Monaco.", "谢谢！", "好的。", "今天几点了？", "明白了。",
)  # fmt: skip
_ADJECTIVES = (
    "blue",
    "old",
    "tiny",
    "Italian",
    "Danish",
    "wooden",
    "electric",
    "vintage",
    "quiet",
    "spicy",
    "Japanese",
    "smoked",
)
_THINGS = (
    "chairs",
    "trams",
    "lamps",
    "soups",
    "films",
    "bicycles",
    "pianos",
    "teas",
    "puzzles",
    "gardens",
    "lakes",
    "novels",
)
_CITIES = (
    "Leeds",
    "York",
    "Hull",
    "Derby",
    "Bath",
    "Exeter",
    "Truro",
    "Durham",
    "Lincoln",
    "Chester",
    "Oxford",
    "Ely",
    "Wells",
    "Ripon",
)
_LIKES = ("I like {0}.", "I really like {0}.", "By the way, I like {0}.", "I enjoy {0}.", "As I said, I like {0}.")
_LIVES = ("I live in {0}.", "I'm living in {0}.", "As you know, I live in {0}.", "I currently live in {0}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """The conversation, and how many different facts it states."""

    conversation: Conversation
    facts: int


def life(turns: int) -> Life:
    """Return a life of so many turns; the same every time."""
    chance = random.Random(SEED)  # noqa: S311 - not for secrets
    likes = [f"{adjective} {thing}" for adjective, thing in product(_ADJECTIVES, _THINGS)]
    numbered = [f"{likes[index % len(likes)]} number {index}" for index in range(turns)]
    said: list[str] = []
    city, facts = "", 0
    script: list[LabelledTurn] = []

    def new() -> Iterator[str]:
        nonlocal city, facts
        facts += 1
        if not city or chance.random() < 0.05:
            city = chance.choice([other for other in _CITIES if other != city])
            yield f"I moved to {city}."
        else:
            said.append(numbered[len(said)])
            yield _LIKES[0].format(said[-1])

    for _ in range(turns):
        drawn = chance.random()
        if drawn < NEW or not city:
            content = next(new())
        elif drawn < NEW + AGAIN and said:
            again = chance.random() < 0.2
            content = (
                chance.choice(_LIVES).format(city) if again else chance.choice(_LIKES).format(chance.choice(said))
            )
        else:
            content = chance.choice(_TALK)
        script.append(LabelledTurn(kind="life", role="user", content=content))
    return Life(conversation=Conversation(id="life", language="en", playbooks=(), turns=tuple(script)), facts=facts)
