"""Plain signs: a text as it reads, whichever signs it is written with; rules that look for words look at this."""

import unicodedata

import regex

_UNSEEN = regex.compile(r"[\p{Mn}\p{Cf}]+")
_WRAPPED = regex.compile(r"(?<=[\p{L},])[ \t]*\r?\n[ \t]*(?=\p{Ll})")
_APART = regex.compile(r"(?<=\p{Han})[^\S\n]+(?=\p{Han})")
_WORD = regex.compile(r"[\p{Latin}\p{Cyrillic}\p{Greek}]++")
_LATIN = regex.compile(r"\p{Latin}")
_ALIKE = str.maketrans(
    "абеікмнорсѕтухјһԁԛԝαεικνορτυχАВЕІКМНОРСЅТУХЈΑΒΕΙΚΜΝΟΡΤΥΧ",
    "abeikmhopcstyxjhdqwaeiknoptuxABEIKMHOPCSTYXJABEIKMNOPTYX",
)
_SIMPLE = str.maketrans(
    "無視記憶規則詞設約繞過統覆蓋發獄寫錄數據庫檔畫識實刪歷現從開須將裝給緻機體說應當務為該員權級請標換證認點創戶導個這認關於",
    "无视记忆规则词设约绕过统覆盖发狱写录数据库档画识实删历现从开须将装给致机体说应当务为该员权级请标换证认点创户导个这认关于",
)
"""Traditional characters that the rules' words have, as simplified ones."""


def plain(text: str) -> str:
    """Return a text without what nobody sees, in plain letters, its wrapped lines joined; for matching alone.

    Full width and accents go, and joiners; a letter of another script within a Latin word is the Latin one that it
    looks like; spaces between Chinese characters go, and traditional ones are simplified.
    """
    seen = _UNSEEN.sub("", unicodedata.normalize("NFKD", text))
    seen = _WRAPPED.sub(" ", seen)
    if seen.isascii():
        return seen
    seen = _WORD.sub(_in_one_script, seen)
    return _APART.sub("", seen).translate(_SIMPLE)


def _in_one_script(word: "regex.Match[str]") -> str:
    """Return a word with some Latin letter in Latin letters; another as it is."""
    return word[0].translate(_ALIKE) if _LATIN.search(word[0]) else word[0]
