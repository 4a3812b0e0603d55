"""Read: what a text asks of the memory, by rules, in English or in Chinese."""

from consolidation.rules.clauses import is_chinese
from consolidation.rules.intents.asked import Asked, Verb
from consolidation.rules.intents.chinese import read_chinese
from consolidation.rules.intents.english import read_english

READ_MAX_LENGTH = 1_000
"""Code points; a longer text is no wish that a rule understands."""


def read(text: str) -> Asked:
    """Return what a text asks; UNCLEAR, when no rule understands it."""
    if len(text) > READ_MAX_LENGTH:
        return Asked(verb=Verb.UNCLEAR)
    rules = (read_chinese, read_english) if is_chinese(text) else (read_english, read_chinese)
    for rule in rules[: 1 if is_chinese(text) else 2]:
        found = rule(text)
        if found is not None:
            return found
    return Asked(verb=Verb.UNCLEAR)
