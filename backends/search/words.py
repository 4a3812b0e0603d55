"""Words that carry no meaning in a search: Lucene's English stop words, and what questions are asked with."""

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
