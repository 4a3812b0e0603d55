"""Whether a text is Chinese, as far as a rule has to know."""

import regex

_HAN = regex.compile(r"\p{Script=Han}")


def has_chinese(text: str) -> bool:
    """Say whether any Chinese character is in a text."""
    return _HAN.search(text) is not None


def chinese_characters(text: str) -> int:
    """Return how many are."""
    return len(_HAN.findall(text))
