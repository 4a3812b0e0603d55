"""Words with a treatment of their own: Lucene's English stop words, what questions are asked with, newer stems."""

from collections.abc import Mapping

STOP_WORDS = frozenset(
    """
    a an and are as at be but by for if in into is it no not of on or such that the their then there these they this
    to was will with
    """.split()
)
"""Source: Lucene, EnglishAnalyzer.ENGLISH_STOP_WORDS_SET."""

QUESTION_WORDS = frozenset(
    """
    what when where who whom whose which why how did does do done is are was were has have had would could should can
    may might will shall likely been being kind type many much some any there they their his her he she it its him
    them about from
    """.split()
)
"""Dropped from questions. I, my, me, we and you stay: they mark the user's own turns.

Source: design note on recall, section 3.
"""

CHINESE_QUESTION_PAIRS = frozenset(
    """
    什么 怎么 怎样 哪里 哪儿 哪个 哪些 哪位 为何 为什 是谁 谁的 多少 几个 几点 何时 是否 么时 候的
    """.split()
)
"""The same for Chinese, as the pairs of characters they are analysed to."""

NEWER_STEMS: Mapping[str, str] = {
    "emergenc": "emergence emergences emergencies emergency",
    "emergent": "emergent emergently",
    "evening": "evening evenings",
    "interciti": "intercity",
    "interfer": "interfered interfering",
    "interment": "interment interments",
    "internal": "internal internality internalization internalize internalized internalizes internalizing internally "
    "internals",
    "internat": "international internationalism internationally internationals",
    "internment": "internment internments",
    "interstat": "interstate interstates",
    "interval": "interval intervals",
    "lateral": "lateral laterality lateralization lateralized laterally laterals",
    "organic": "organic organically organics",
    "organism": "organism organisms",
    "organiz": "organization organizations organize organized organizer organizers organizes organizing",
    "paste": "paste pasted pastes pasting",
    "universal": "universal universalism universality universally universals",
    "universiti": "universities university",
    "vie": "vying",
}
"""Stem -> words that Snowball 3 stems so and Lucene's older copy does not; engines with the old one are told.

Beside these only words in -ologist differ among 277,000 English ones, and some that nobody says.
"""
