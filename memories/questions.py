"""What a question says about whom it asks."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Self

import regex

from memories.roles import Role

_FIRST_PERSON = regex.compile(r"\b(?:i|my|me|mine|we|our|ours|us|myself)\b|我|咱|俺", regex.IGNORECASE)
_LETTERS_WITH_SPACES = regex.compile(r"[\p{Latin}\p{Cyrillic}\p{Greek}]")
_WORD = regex.compile(r"\w+")
_ROLES = frozenset(Role.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A question in one letter case, and its words."""

    text: str
    words: frozenset[str]

    @classmethod
    def of(cls, question: str) -> Self:
        """Take a question apart."""
        text = question.lower()
        return cls(text=text, words=frozenset(_WORD.findall(text)))

    def has(self, form: str) -> bool:
        """Say whether a folded form of a name occurs: as whole words, or anywhere where words have no spaces."""
        if len(form) < 2:
            return False
        if form in self.words:
            return True
        if form not in self.text or (form.isalnum() and _LETTERS_WITH_SPACES.search(form)):
            return False
        return not _LETTERS_WITH_SPACES.search(form) or self._stands_alone(form)

    def _stands_alone(self, form: str) -> bool:
        """Say whether a form occurs with the edge of a word at both its ends."""
        start = self.text.find(form)
        while start >= 0:
            end = start + len(form)
            begins = _is_word(form[0]) != _is_word(self.text[start - 1 : start])
            ends = _is_word(form[-1]) != _is_word(self.text[end : end + 1])
            if begins and ends:
                return True
            start = self.text.find(form, start + 1)
        return False


def named_in(question: str, spellings: Collection[str]) -> bool:
    """Say whether a question has one of the spellings of a name, as whole words."""
    asked = _Asked.of(question)
    return any(asked.has(spelling.lower()) for spelling in spellings)


def asked_about(question: str, speakers: Collection[str]) -> str | None:
    """Return the participant a question is about, or None.

    1. Exactly one participant's name, or its first word, occurs in it: that participant.
    2. No name occurs, but a first-person word does: the user who asks, where user turns carry no name.
    3. Otherwise nobody in particular.
    The question is taken apart once: there may be thousands of speakers.
    Source: design note on recall, section 3, own(d).
    """
    asked = _Asked.of(question)
    named = [speaker for speaker in speakers if speaker not in _ROLES and any(map(asked.has, _forms(speaker)))]
    if len(named) == 1:
        return named[0]
    if not named and Role.USER.value in speakers and _FIRST_PERSON.search(question):
        return Role.USER.value
    return None


def _forms(name: str) -> tuple[str, ...]:
    """Return a name and its first word, folded; a blank name has neither."""
    folded = name.lower()
    words = folded.split(maxsplit=1)
    return (folded, words[0]) if words else ()


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
