"""Kills services at random, as a crash would, and starts them again."""

import random
import time
from collections import Counter
from dataclasses import dataclass, field

from memory_site.stack.stack import Name, Stack

LONGEST_AWAY_S = 3.0


@dataclass(slots=True, kw_only=True)
class Killer:
    """random: decides who and for how long. killed: how often each was."""

    stack: Stack
    random: random.Random
    killed: Counter[str] = field(default_factory=Counter)

    def victims(self, kills: int) -> list[Name]:
        """Return whom to kill, in an order by chance: each service as often as every other, as far as that goes."""
        names: list[Name] = list(self.stack.services)  # type: ignore[arg-type]
        drawn: list[Name] = []
        while len(drawn) < kills:
            drawn += self.random.sample(names, k=len(names))
        return drawn[:kills]

    def kill(self, name: Name) -> float:
        """Kill a service, leave it dead for a while, and start it again; return the seconds it was away."""
        began = time.monotonic()
        self.stack.kill(name)
        self.killed[name] += 1
        time.sleep(self.random.uniform(0.0, LONGEST_AWAY_S))
        self.stack.start(name)
        return time.monotonic() - began
