"""Play: jokes, parts that are acted, verses and things only supposed; nothing in such a turn is told of oneself."""

import regex

_ENGLISH = regex.compile(
    r"(?<!\bno )(?<!\bnot )\b(?:(?:just|only|obviously|totally|I'm|I am|was|we're) (?:kidding|joking)|jk|j/k)\b(?! about)|^\s*(?:joke|just for (?:fun|laughs)|haha,? joke)\s*[:,-]|"
    r"\b(?:here's a joke|april fools?'?|as a joke|tongue in cheek)\b|"
    r"\brole-?play(?:ing)?\b(?! games?\b)|\bmy (?:[\w&]+ )?character\b|\bin[- ]character\b|\bin this (?:scene|sketch|scenario)\b|"
    r"\b(?:as the song goes|sing(?:ing)? along|the (?:chorus|lyrics?) (?:goes?|is|are|says?)|lyrics:|a line from (?:a|the) (?:song|poem|film|movie|play))\b|[♪♫🎵🎶]",
    regex.I,
)
_CHINESE = regex.compile(
    r"(?<!不|没|没有|别)(?:开(?:个|你)?玩笑|逗你(?:玩|的)|说着玩|闹着玩|瞎说的|骗你的|讲个笑话)|角色扮演|我(?:来)?(?:演|扮演|扮)(?:一个|个)?\p{Han}|这首歌(?:里)?唱|歌里唱|(?:歌词|台词)(?:是|里|：|:|说|写)|剧情里"
)
_SUPPOSING = regex.compile(
    r"^(?:(?:ok|okay|so|now|hey|just|please|let's|let us)[, ]+)*(?:imagine|suppose|supposing|pretend|hypothetically|let's (?:say|pretend|imagine)|say|picture this)\b|^(?:让?我们)?(?:假设|假如|假想|设想|想象|假装|试想)",
    regex.I,
)


def plays(content: str) -> bool:
    """Say whether a whole turn is in jest, acted or sung."""
    return bool(_ENGLISH.search(content) or _CHINESE.search(content))


def supposes_on(sentence: str) -> bool:
    """Say whether what follows a sentence in its turn may be supposed along with it."""
    return bool(_SUPPOSING.match(sentence.strip()))
