"""JSON as it comes in: strict, bounded in size and depth, and free of what a database cannot keep."""

import re
from collections.abc import Mapping
from typing import IO, Any

from django.utils.http import parse_header_parameters
from rest_framework.exceptions import ParseError, UnsupportedMediaType, ValidationError
from rest_framework.parsers import JSONParser
from rest_framework.settings import api_settings

from tenants.forms.body_limit import BodyTooLong, body_max_bytes, too_long
from tenants.forms.strict_json import strict_json
from tenants.forms.unkeepable import unkeepable_fault

MAX_DEPTH = 20
MAX_VALUES = 200_000
"""JSON values and names in one body. Each costs a hundred times its length in memory before anyone can look at it."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[,:\[{]', re.DOTALL)
"""A string, whole or without its end, or a sign that another value or name follows."""

Place = tuple["Place", str] | None
"""Where a value stands: in which place, under which name; made into text only for a fault."""


class StrictJSONParser(JSONParser):
    """Parse one JSON object in UTF-8; refuse NaN, duplicate names, NUL, lone surrogates, deep nesting and crowds."""

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the body as a dict.

        Raises BodyTooLong; UnsupportedMediaType, when it names another charset; ParseError, when it is not UTF-8 or
        not JSON or has too many values; ValidationError, when JSON holds what is refused.
        """
        _refuse_charset(media_type or "")
        path = parser_context["request"].path if parser_context else ""
        raw = stream.read(body_max_bytes(path) + 1)
        if len(raw) > body_max_bytes(path):
            raise BodyTooLong(too_long(path))
        body = _loaded(raw)
        if not isinstance(body, dict):
            raise ParseError("The body must be a JSON object.")
        _refuse_unkeepable(body, place=None, depth=1)
        return body


def _refuse_charset(media_type: str) -> None:
    charset = parse_header_parameters(media_type)[1].get("charset", "utf-8")
    if charset.lower() not in {"utf-8", "utf8"}:
        raise UnsupportedMediaType(media_type)


def _loaded(raw: bytes) -> Any:
    try:
        text = raw.decode("utf-8")
        _refuse_crowd(text)
        return strict_json(text)
    except UnicodeDecodeError as error:
        raise ParseError(f"The body is not UTF-8: byte {error.start} cannot be read.") from error
    except RecursionError as error:
        raise ParseError("The body is nested too deeply.") from error
    except ValueError as error:
        raise ParseError(f"The body is not JSON: {error}") from error


def _refuse_crowd(text: str) -> None:
    """Raise ParseError for more values and names than MAX_VALUES, without making one of them."""
    strings = signs = 0
    for token in _TOKEN.finditer(text):
        if text[token.start()] == '"':
            strings += 1
        else:
            signs += 1
        if strings > MAX_VALUES or signs > MAX_VALUES:
            raise ParseError(f"The body has more than {MAX_VALUES} values and names; send less at a time.")


def _refuse_unkeepable(value: object, *, place: Place, depth: int) -> None:
    """Raise ValidationError for text or nesting that cannot be stored exactly as sent, naming the field."""
    if depth > MAX_DEPTH:
        raise ValidationError({_named(place): f"must not be nested more than {MAX_DEPTH} deep"})
    if isinstance(value, str):
        _refuse_unkeepable_text(value, place=place)
    elif isinstance(value, dict):
        for name, inner in value.items():
            _refuse_unkeepable_text(name, place=place)
            _refuse_unkeepable(inner, place=(place, name), depth=depth + 1)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _refuse_unkeepable(inner, place=(place, str(index)), depth=depth + 1)


def _refuse_unkeepable_text(text: str, *, place: Place) -> None:
    fault = unkeepable_fault(text)
    if fault is not None:
        raise ValidationError({_named(place): fault})


def _named(place: Place) -> str:
    """Return a place's names with dots between them, outermost first."""
    names: list[str] = []
    while place is not None:
        place, name = place
        names.append(name)
    return ".".join(reversed(names)) or api_settings.NON_FIELD_ERRORS_KEY
