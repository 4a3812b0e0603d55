"""What a question says about whom it asks."""

from collections.abc import Collection

import regex

from memories.roles import Role

_FIRST_PERSON = regex.compile(r"\b(?:i|my|me|mine|we|our|ours|us|myself)\b|我|咱|俺", regex.IGNORECASE)
_LATIN = regex.compile(r"[\p{Latin}\p{Cyrillic}\p{Greek}]")


def asked_about(question: str, speakers: Collection[str]) -> str | None:
    """Return the participant a question is about, or None.

    1. Exactly one participant's name occurs in it: that participant.
    2. No name occurs, but a first-person word does: the user who asks, where user turns carry no name.
    3. Otherwise nobody in particular.
    Source: design note on recall, section 3, own(d).
    """
    named = [speaker for speaker in speakers if _occurs(speaker, question)]
    if len(named) == 1:
        return named[0]
    if not named and Role.USER.value in speakers and _FIRST_PERSON.search(question):
        return Role.USER.value
    return None


def _occurs(name: str, question: str) -> bool:
    """Say whether a name, or its first word, occurs as a whole word (in CJK text: anywhere)."""
    if name in set(Role.values):
        return False
    for form in {name, name.split()[0]} if name.split() else set():
        if len(form) < 2:
            continue
        if _LATIN.search(form):
            if regex.search(rf"\b{regex.escape(form)}\b", question, regex.IGNORECASE):
                return True
        elif form in question:
            return True
    return False
