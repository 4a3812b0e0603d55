"""Likeness of values: which words name the same thing, more closely described, more shortly said, or in a later version."""

import regex

_REFINES = regex.compile(r"^(?:(?:called|named|with|from|in|on|of)\b|[,叫，])\s*\S")
_MODEL = regex.compile(r"^\s*(?:v?\d|[a-z]+\s*\d|pro\b|max\b|air\b|mini\b)")
_VERSION = regex.compile(
    r"^(?P<product>[^\d]*?)\s*(?:version\s*|v)?(?P<version>\d+(?:\.\d+)+|\d+)(?![\d%])(?P<rest>.*)$"
)
_PLACES = (
    r"\bstaging\b|预发",
    r"\bprod(?:uction)?\b|\blive\b|生产|线上",
    r"\bdev(?:elopment)?\b|\blocal(?:ly)?\b|开发|本地",
    r"\b(?:test|qa)\b|测试",
    r"\blaptop\b|笔记本",
    r"\bphone\b|手机",
)
_SHORT = 2


def describes(longer: str, shorter: str) -> bool:
    """Say whether a key is another one, more closely described, and not something else beginning with its words."""
    if not shorter or len(longer) <= len(shorter):
        return False
    if longer.startswith(shorter):
        return bool(_REFINES.match(longer[len(shorter) :].lstrip()))
    return longer.endswith(f", {shorter}")


def names_shortly(shorter: str, longer: str) -> bool:
    """Say whether a key is the short name of another: its last word, its make, or its name without the model."""
    if len(shorter) < _SHORT or len(longer) <= len(shorter):
        return False
    if longer.endswith(f" {shorter}") or (regex.fullmatch(r"\p{Han}{2,}", shorter) and longer.endswith(shorter)):
        return True
    return longer.startswith(shorter) and bool(_MODEL.match(longer[len(shorter) :]))


def tells(text: str, value: str) -> bool:
    """Say whether a text has a value among its words."""
    if not value:
        return False
    edges = (
        r"\b" if value[:1].isascii() and value[:1].isalnum() else "",
        r"\b" if value[-1:].isascii() and value[-1:].isalnum() else "",
    )
    return bool(regex.search(f"{edges[0]}{regex.escape(value, special_only=True)}{edges[1]}", text, regex.I))


def head_of(key: str) -> str:
    """Return the noun of a key of several words; empty for a single word."""
    words = key.split()
    return words[-1].rstrip("s") if len(words) > 1 else ""


def later_version(key: str, text: str, old_key: str, old_text: str) -> bool:
    """Say whether two statements name versions of one product, in one place; the newer may leave the product unsaid."""
    new, old = _VERSION.match(key), _VERSION.match(old_key)
    if new is None or old is None or "." not in old["version"] + new["version"]:
        return False
    product = new["product"].strip()
    if product and product != old["product"].strip():
        return False
    here, there = _place(text), _place(old_text)
    return not here or not there or here == there


def _place(text: str) -> str:
    return next((place for place in _PLACES if regex.search(place, text, regex.I)), "")
