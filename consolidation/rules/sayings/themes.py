"""Themes: what a clause is about, as a small set of the matters that people tell of themselves.

A theme is no understanding: it says that words of one matter stand there. The lists are the language's, so that a job is one
whether somebody is "at Siemens", "hired" or 跳槽; more than one theme is the rule.
"""

from functools import lru_cache

import regex

from consolidation.rules.clauses import is_chinese
from consolidation.rules.sayings import themes_chinese, themes_english

PREDICATES = {
    "lives_in": "residence", "works_for": "employer", "works_as": "role", "job": "role", "studies_at": "school", "studies": "degree",
    "drives": "car", "drinks": "drink", "eats": "diet", "allergic_to": "diet", "speaks": "language", "phone": "phone", "email": "email",
    "smokes": "smoking", "rides": "bike", "takes": "medication", "commutes": "commute", "subscribes_to": "subscription", "plays": "sport",
}  # fmt: skip
"""The theme of what a rule read, beside that of its words."""
_ENGLISH = [
    (name, regex.compile(rf"(?<![\p{{L}}\d])(?:{pattern})(?![\p{{L}}\d])", regex.I))
    for name, pattern in themes_english.THEMES.items()
]
_CHINESE = [(name, regex.compile(pattern, regex.I)) for name, pattern in themes_chinese.THEMES.items()]


@lru_cache(maxsize=1024)
def themes_of(clause: str, *, predicate: str = "") -> frozenset[str]:
    """Return the themes of a clause; predicate: of what a rule read."""
    patterns = _CHINESE if is_chinese(clause) else _ENGLISH
    found = {name for name, pattern in patterns if pattern.search(clause)}
    return frozenset(found | {PREDICATES[predicate]} if predicate in PREDICATES else found)
