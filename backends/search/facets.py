"""What can be filtered by, as an engine keeps it: lists of exact tokens, and moments as numbers.

A token is `label=type:value`. The caller's metadata is one list of them too: no key of anybody's adds a field to a
mapping, and literal term, terms, range and wildcard clauses on keywords mean the same in a query, inside a kNN clause
and beside document-level security, which those of `nested` do not. Tokens sort as their values do: strings by code
points, numbers in an exact decimal form. What can be hidden from a key has a list of its own, so that the engine can
hide it; all else shares one. Moments stand apart, in microseconds, since every document has its own: as tokens a
range would walk all of them, and Elasticsearch's dates end at milliseconds. Every document has a token in FACETS, so
one without is older than this form: it passes every filter here, and the record judges it.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from backends.search.filters import METADATA, Field, Truth, Value

FACETS = "facets"
"""The shared list."""
APART = ("category", "confidence", "importance", METADATA, "tags")
"""Fields with a list of their own, under their own name."""
LISTS = (FACETS, *APART)
MICROS: Mapping[str, str] = {
    "valid_from": "valid_from_us",
    "valid_to": "valid_to_us",
    "recorded_at": "recorded_us",
    "expires_at": "expires_us",
}
"""Moment -> the field that holds it in microseconds since 1970; none where the row has none."""

Facts = Mapping[str, Any]
"""What a row has, by the names of FIELDS: strings, numbers, moments, lists of strings; METADATA: any JSON object."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_POINT = 50_000
"""Added to a decimal point's place, which so has five digits and no sign."""
_COMPLEMENT = str.maketrans("0123456789", "9876543210")
_TYPES: Mapping[type, str] = {str: "s", Truth: "b", int: "n", float: "n"}


def filterable(facts: Facts) -> dict[str, Any]:
    """Return what a document holds to be filtered by: its lists of tokens, each token once, and its moments."""
    lists: dict[str, dict[str, None]] = {name: {} for name in LISTS}
    for name, value in facts.items():
        if name == METADATA:
            for key, inner in value.items():
                lists[name].update(dict.fromkeys(_tokens(label(Field(name=name, key=key)), inner)))
        elif name not in MICROS:
            lists[home(Field(name=name))].update(dict.fromkeys(_tokens(name, value)))
    moments = {field: micros(facts[name]) for name, field in MICROS.items() if facts.get(name) is not None}
    return {**{name: list(tokens) for name, tokens in lists.items()}, **moments}


def home(field: Field) -> str:
    """Return the list that a field's tokens are in."""
    return field.name if field.name in APART else FACETS


def micros(moment: Value) -> int:
    """Return a moment in microseconds since 1970, exactly. Raises TypeError for another value."""
    if not isinstance(moment, datetime):
        raise TypeError("only moments are compared with moments")
    return (moment - _EPOCH) // timedelta(microseconds=1)


def label(field: Field) -> str:
    """Return what a field's tokens begin with; no two fields have the same, whatever characters a key has."""
    if field.key is None:
        return field.name
    return f"{field.name}.{field.key.replace('%', '%25').replace('=', '%3D')}"


def prefix(field: Field, value: Value, *, in_list: bool) -> str:
    """Return what the tokens of a field's values of the value's type begin with: its own, or its list's elements'."""
    return _prefix(label(field), _TYPES[type(value)], in_list=in_list)


def token(field: Field, value: Value, *, in_list: bool) -> str:
    """Return the token of a value that the field has itself, or as an element of its list."""
    return f"{prefix(field, value, in_list=in_list)}{_text(value)}"


def tokens(field: Field, values: Iterable[Value]) -> list[str]:
    """Return the tokens of values in both forms."""
    return [token(field, value, in_list=in_list) for value in values for in_list in (False, True)]


def after(start: str) -> str:
    """Return the least string above all that begin with a prefix(), which ends in a colon."""
    return f"{start[:-1]};"


def presence(field: Field) -> str:
    """Return the token of a field that exists."""
    return f"{label(field)}=x"


def _tokens(of: str, value: Any) -> Iterator[str]:
    in_list = isinstance(value, list | tuple)
    held = [item for item in (value if in_list else [value]) if item is not None]
    if held:
        yield f"{of}=x"
    for item in (Truth.of(item) if isinstance(item, bool) else item for item in held):
        if type(item) in _TYPES:  # what is nested deeper exists, and is compared with nothing
            yield f"{_prefix(of, _TYPES[type(item)], in_list=in_list)}{_text(item)}"


def _prefix(of: str, sort: str, *, in_list: bool) -> str:
    return f"{of}={sort.upper() if in_list else sort}:"


def _text(value: Value) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Truth):
        return value.value
    if isinstance(value, int | float):
        return _sortable(value)
    raise TypeError("a moment has no token")


def _sortable(value: float) -> str:
    """Return a number's exact decimal value as text that sorts as the number does: sign, point's place, digits."""
    sign, digits, exponent = Decimal(repr(value) if isinstance(value, float) else value).as_tuple()
    text = "".join(map(str, digits)).rstrip("0")
    if not text:
        return "5"
    place = len(digits) + int(exponent) + _POINT
    return f"4{99_999 - place:05}{text.translate(_COMPLEMENT)}~" if sign else f"6{place:05}{text}"
