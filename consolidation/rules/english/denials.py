"""In Antwerp, not Ghent; not in Ghent but in Antwerp; Antwerp instead of Ghent: a statement without what it denies."""

import regex

from consolidation.rules.values import key_of

_NOT_AT_END = regex.compile(
    r"(?P<said>.+?),?\s+(?:and\s+)?not\s+(?:in\s+|at\s+|on\s+)?(?P<old>(?:[\p{Lu}\p{Han}\d]|the\s)[\w' .-]{0,38})$"
)
_INSTEAD = regex.compile(
    r"(?P<said>.+?)\s+instead\s+of\s+(?:in\s+|at\s+|on\s+)?(?P<old>[\w'.-]+(?:\s+[\w'.-]+){0,3}?)(?P<now>\s+(?:now|these days))?$",
    regex.I,
)
_NEW = r"(?P<new>(?!.*\b(?:is|are|was|were|can|do|does|will|have|has|not)\b)[\w'.-]+(?:\s+[\w'.-]+){0,4})$"
_NOT_BUT = regex.compile(
    rf"(?P<who>(?:I|we))\s+(?:don't|do not)\s+(?P<verb>live in|live at|work for|work at|work as an?|work in|come from|like|prefer|use|drive|speak|have|own|play|study)\s+(?P<old>.+?),?\s+but\s+(?:(?:in|at|for|from|as|an?)\s+)*{_NEW}",
    regex.I,
)
_AM_NOT_BUT = regex.compile(
    rf"(?P<who>I'm|I am|we're|we are)\s+not\s+(?P<verb>(?:(?:from|in|at|an?|the)\s+)?)(?P<old>.+?),?\s+but\s+(?P<again>(?:(?:from|in|at|an?|the)\s+)?){_NEW}",
    regex.I,
)


def without_denial(text: str) -> tuple[str, str]:
    """Return a statement without what it denies, and that as it is compared; empty where it denies nothing."""
    if found := _NOT_BUT.match(text):
        return f"{found['who']} {found['verb']} {found['new']}", key_of(found["old"])
    if found := _AM_NOT_BUT.match(text):
        return f"{found['who']} {found['again'] or found['verb']}{found['new']}", key_of(found["old"])
    if found := _NOT_AT_END.match(text) or _INSTEAD.match(text):
        return found["said"], key_of(found["old"])
    return text, ""
