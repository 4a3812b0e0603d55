"""Inventing the turns: a seed decides all of it, so that two runs say the same words."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.read_your_writes.sentences import FILLERS, QUESTIONS, STATEMENTS, Language

ONSETS = ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "dr", "kl", "pl", "tr", "sk")
VOWELS = ("a", "e", "i", "o", "u")
CODAS = ("", "", "n", "l", "r", "s", "x", "m")
HAN = "阿巴贝波达迪多厄法菲戈古赫霍基卡科拉莱里卢马梅米莫纳尼诺帕佩皮奇雷罗萨塞索塔特托图瓦维沃西亚伊尤扎佐"
"""Characters that foreign names are written with: none of them says what the word means."""

LONG_EVERY = 10
LONG_CHARACTERS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One turn to be written and the question that must find it. is_long: about 1,000 characters."""

    index: int
    language: Language
    is_long: bool
    word: str
    statement: str
    question: str


def make_trials(number: int, *, seed: int) -> list[Trial]:
    """Return trials, half of them Chinese on average, every tenth long; no word occurs twice."""
    chance = random.Random(seed)  # noqa: S311 - reproducible, not secret
    words = _words(chance)
    return [_trial(index, chance, words) for index in range(number)]


def _trial(index: int, chance: random.Random, words: Iterator[tuple[str, str]]) -> Trial:
    language = chance.choice(list(Language))
    latin, han = next(words)
    # Chinese talk holds foreign words as they are, too.
    word = han if language is Language.CHINESE and chance.random() < 0.5 else latin
    statement = chance.choice(STATEMENTS[language]).format(word=word)
    is_long = index % LONG_EVERY == LONG_EVERY - 1
    return Trial(
        index=index,
        language=language,
        is_long=is_long,
        word=word,
        statement=_padded(statement, FILLERS[language], chance) if is_long else statement,
        question=chance.choice(QUESTIONS[language]).format(word=word),
    )


def _words(chance: random.Random) -> Iterator[tuple[str, str]]:
    """Yield pairs of a word in Latin letters and one in Chinese characters, none of them twice."""
    said: set[str] = set()
    while True:
        latin = "".join(chance.choice(ONSETS) + chance.choice(VOWELS) + chance.choice(CODAS) for _ in range(3))
        han = "".join(chance.sample(HAN, 4))
        if not said & {latin, han}:
            said |= {latin, han}
            yield latin, han


def _padded(statement: str, fillers: Sequence[str], chance: random.Random) -> str:
    """Return about LONG_CHARACTERS of text with the statement somewhere in it."""
    joint = " " if fillers[0].isascii() else ""
    sentences = [statement]
    while len(joint.join(sentences)) < LONG_CHARACTERS:
        sentences.insert(chance.randint(0, len(sentences)), chance.choice(fillers))
    return joint.join(sentences)
